//! The committed API document is the one that the program serves.

use expect_test::expect_file;

#[test]
fn the_document_is_up_to_date() {
    let document = serde_json::to_string_pretty(&heapview::web::openapi()).unwrap() + "\n";
    expect_file!["../../web/src/api/openapi.json"].assert_eq(&document);
}
