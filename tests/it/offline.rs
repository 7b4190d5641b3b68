//! The page's own engine in report files answers as the server does: here the server's answers are
//! written beside the data that it gets; `web/src/offline/engine.test.ts` compares.
//!
//! `UPDATE_EXPECT=1` rewrites `testdata/offline/`; the files are gzip, since nobody reads them.

use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use heapview::session::Session;
use heapview::web::{FileOptions, file_data};
use serde_json::{Value, json};

use crate::api;
use crate::fixture::path;
use crate::questions::{QUERIES, profiles};

/// The answer as text, every digit as the server writes it.
fn answer(session: &Arc<Session>, question: &str) -> String {
    let plain = |c: char| if "[]<>^| ".contains(c) { format!("%{:02X}", u32::from(c)) } else { c.to_string() };
    let path = format!("/api/v1/{}", question.chars().map(plain).collect::<String>());
    let (response, body) = api::get(session, &path);
    format!(r#"{{"path":{},"status":{},"body":{}}}"#, json!(path), response.status().as_u16(), String::from_utf8(body).unwrap())
}

#[test]
fn the_page_alone_answers_as_the_server() {
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v == "1");
    for (name, profile) in profiles() {
        let session = Arc::new(Session::new(profile, Vec::new()));
        // A character for each byte.
        let data: String = file_data(&session, &FileOptions::default()).unwrap().into_iter().map(char::from).collect();
        let mut answers: Vec<String> = QUERIES.iter().map(|question| answer(&session, question)).collect();
        // Boxes deep in the tree, from both ends.
        for question in ["flame", "flame?inverted=t"] {
            let (_, flame) = api::json(&session, &format!("/api/v1/{question}{}open=*", if question == "flame" { '?' } else { '&' }));
            let and = if question.contains('?') { '&' } else { '?' };
            let ids: Vec<&str> = flame["id"].as_array().unwrap().iter().filter_map(Value::as_str).filter(|id| !id.is_empty()).collect();
            answers.push(answer(&session, &format!("{question}{and}zoom={}", ids[ids.len() / 2])));
            let open = format!("{}.{}_.{}*", &ids[0][..8], &ids[1][..8], &ids[2][..8]);
            answers.push(answer(&session, &format!("{question}{and}open={open}&counts=t")));
            answers.push(answer(&session, &format!("{question}{and}zoom={}&open=auto", ids[0])));
        }
        let text = format!(r#"{{"answers":[{}],"data":{}}}"#, answers.join(","), json!(data));
        let file = path(&format!("testdata/offline/{name}.json.gz"));
        if update {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            let mut encoder = GzEncoder::new(std::fs::File::create(&file).unwrap(), Compression::best());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap();
            continue;
        }
        let mut golden = String::new();
        let opened = std::fs::File::open(&file).unwrap_or_else(|e| panic!("{}: {e}; UPDATE_EXPECT=1 writes it", file.display()));
        GzDecoder::new(opened).read_to_string(&mut golden).unwrap();
        if golden != text {
            let golden: Value = serde_json::from_str(&golden).unwrap();
            let answers = answers.iter().map(|now| serde_json::from_str::<Value>(now).unwrap());
            let differs = answers.zip(golden["answers"].as_array().unwrap()).find(|(now, then)| now != *then);
            panic!(
                "{} is not what the server says now: {:?}; UPDATE_EXPECT=1 rewrites it",
                file.display(),
                differs.map(|(now, _)| now["path"].clone())
            );
        }
    }
}
