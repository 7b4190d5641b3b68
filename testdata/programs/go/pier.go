// Pier keeps cargo and serves Go's own heap profile: what the scraper meets. tests/store/scrape.py builds and runs it.
//
//	pier PORT
package main

import (
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
)

var quay [][]byte

//go:noinline
func stackCrates(megabytes int) {
	for n := 0; n < megabytes*16; n++ {
		quay = append(quay, make([]byte, 64<<10))
	}
}

func main() {
	stackCrates(8)
	http.HandleFunc("/unload", func(w http.ResponseWriter, r *http.Request) {
		megabytes, _ := strconv.Atoi(r.URL.RawQuery)
		stackCrates(megabytes)
		fmt.Fprintln(w, "unloaded")
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
