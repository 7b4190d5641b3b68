//! From labels of other systems to where a dump came from.

use super::error::BadRequest;

/// Parameter of an upload → labels that mean it; the first that is there counts.
const MEANT: [(&str, &[&str]); 6] = [
    ("service", &["service_name", "service.name", "service"]),
    ("version", &["version", "service_version", "service.version", "app_version"]),
    (
        "env",
        &[
            "env",
            "environment",
            "deployment_environment",
            "deployment.environment.name",
            "deployment_environment_name",
            "deployment.environment",
        ],
    ),
    ("host", &["host", "hostname", "host_name", "host.name", "node", "instance"]),
    ("pod", &["pod", "k8s_pod_name", "k8s.pod.name"]),
    ("pid", &["pid", "process_pid", "process.pid", "__session_id__"]),
];

/// Parameters of an upload, by their names in `/api/v1/dumps`. `tenant`: what `X-Scope-OrgID` says, which becomes a label.
///
/// A `/` in the name of a service, as in `namespace/container`, becomes a dot, and the label `service_name` keeps what was sent. Other
/// labels between double underscores are for the receiver, and are dropped.
///
/// # Errors
/// No label says the service.
pub fn parameters(mut labels: Vec<(String, String)>, tenant: Option<&str>) -> Result<Vec<(String, String)>, BadRequest> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (parameter, names) in MEANT {
        let found = names.iter().find_map(|name| labels.iter().position(|(label, value)| label == name && !value.is_empty()));
        if let Some(at) = found {
            all.push((parameter.to_owned(), labels.remove(at).1));
        }
    }
    let service = all.first_mut().filter(|(parameter, _)| parameter == "service").ok_or(BadRequest::NoService)?;
    let renamed = service.1.trim_matches('/').replace('/', ".");
    let original = std::mem::replace(&mut service.1, renamed);
    if service.1 != original {
        labels.push(("service_name".to_owned(), original));
    }
    if let Some(tenant) = tenant.filter(|_| !labels.iter().any(|(name, _)| name == "tenant")) {
        labels.push(("tenant".to_owned(), tenant.to_owned()));
    }
    let is_private = |name: &str| name.len() >= 4 && name.starts_with("__") && name.ends_with("__");
    let others = labels.into_iter().filter(|(name, value)| !is_private(name) && !value.is_empty());
    all.extend(others.map(|(name, value)| (format!("label.{name}"), value)));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(labels: &[(&str, &str)], tenant: Option<&str>) -> Result<String, BadRequest> {
        let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let all = parameters(labels, tenant)?;
        Ok(all.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn labels_of_agents_get_our_names() {
        let of_sdk = [("__name__", "memory"), ("env", "test"), ("hostname", "web-1"), ("service_name", "forest"), ("otel.scope.name", "x")];
        assert_eq!(mapped(&of_sdk, Some("a")).unwrap(), "service=forest env=test host=web-1 label.otel.scope.name=x label.tenant=a");
        let of_agent =
            [("service_name", "shop/till"), ("instance", "10.0.0.1:80"), ("node", "n1"), ("pod", "till-0"), ("namespace", "shop")];
        assert_eq!(
            mapped(&of_agent, None).unwrap(),
            "service=shop.till host=n1 pod=till-0 label.instance=10.0.0.1:80 label.namespace=shop label.service_name=shop/till"
        );
        let session = [("service", "forest"), ("__session_id__", "9f"), ("tenant", "b"), ("empty", "")];
        assert_eq!(mapped(&session, Some("a")).unwrap(), "service=forest pid=9f label.tenant=b");
        assert_eq!(mapped(&[("env", "test")], None), Err(BadRequest::NoService));
        assert_eq!(mapped(&[("service_name", "")], None), Err(BadRequest::NoService));
    }
}
