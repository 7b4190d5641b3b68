//! `proto/profile.rs` is what prost makes of `proto/profile.proto`. It is in the repository, so that building heapview and its
//! engine does not begin with building a compiler of protobuf.

use expect_test::expect_file;

use crate::fixture::path;

#[test]
fn messages_are_generated_from_the_proto_file() {
    let out = tempfile::tempdir().unwrap();
    let files = protox::compile([path("proto/profile.proto")], [path("proto")]).unwrap();
    prost_build::Config::new().out_dir(out.path()).compile_fds(files).unwrap();
    let generated = std::fs::read_to_string(out.path().join("perftools.profiles.rs")).unwrap();
    expect_file![path("proto/profile.rs")].assert_eq(&generated);
}
