#!/usr/bin/env python3
"""Passes requests on to a server, and keeps what was sent: a line of method and address, headers, an empty line, the body.

usage: record.py PORT SERVER FOLDER PREFIX

Headers that name this machine or carry a token are left out."""

import http.client
import http.server
import itertools
import pathlib
import sys

port, server, folder, prefix = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
LEFT_OUT = {"host", "authorization", "connection", "content-length", "transfer-encoding"}
numbers = itertools.count(1)


class Recorder(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        pieces = []
        while n := int(self.rfile.readline().split(b";")[0], 16):
            pieces.append(self.rfile.read(n))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def do_POST(self):
        body = self.body()
        number = next(numbers)
        kept = [f"{name.lower()}: {value}" for name, value in self.headers.items() if name.lower() not in LEFT_OUT]
        head = "\r\n".join([f"POST {self.path}", *kept, "", ""])
        (folder / f"{prefix}-{number}.http").write_bytes(head.encode() + body)
        connection = http.client.HTTPConnection(server)
        passed = {name: value for name, value in self.headers.items() if name.lower() not in {"transfer-encoding", "content-length"}}
        connection.request("POST", self.path, body, {**passed, "Host": server})
        answer = connection.getresponse()
        content = answer.read()
        print(prefix, number, self.path, len(body), "->", answer.status, content[:300], flush=True)
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() in {"content-type", "retry-after"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", port), Recorder).serve_forever()
