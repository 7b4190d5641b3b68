// Depot keeps parcels in memory in known ways: a fixture for heapview, built and run by testdata/regenerate.sh.
//
//	depot DIRECTORY
//
// It writes depot.0.pb.gz before the night shift, depot.1.pb.gz and depot.txt (debug=1) after it.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
)

// Parcel weighs what its contents weigh.
type Parcel struct {
	Label    string
	Contents []byte
	Inside   *Parcel
}

// Carrier takes parcels away; the depot does not know how.
type Carrier interface {
	Load(p *Parcel)
}

type van struct{ hold []*Parcel }

type bicycle struct{ labels map[string]int }

func (v *van) Load(p *Parcel) { v.hold = append(v.hold, p) }

func (b *bicycle) Load(p *Parcel) { b.labels[strings.ToUpper(p.Label)]++ }

// Shelf is generic, so its methods appear with [...] in profiles.
type Shelf[T any] struct {
	mu    sync.Mutex
	items []T
}

//go:noinline
func (s *Shelf[T]) Put(item T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, item)
}

// wrap puts a parcel into a parcel, depth times.
//
//go:noinline
func wrap(number, depth int) *Parcel {
	p := &Parcel{Label: label(number), Contents: make([]byte, 100*(depth+1))}
	if depth > 0 {
		p.Inside = wrap(number, depth-1)
	}
	return p
}

// label is small enough to be inlined.
func label(number int) string { return fmt.Sprintf("parcel %06d", number) }

type depot struct {
	shelf    Shelf[*Parcel]
	receipts Shelf[[4]uint64]
	carriers []Carrier
}

func (d *depot) shift(first, last int) {
	var clerks sync.WaitGroup
	for clerk := 0; clerk < 2; clerk++ {
		clerks.Add(1)
		go func(clerk int) {
			defer clerks.Done()
			for number := first + clerk; number < last; number += 2 {
				p := wrap(number, number%4)
				d.shelf.Put(p)
				d.receipts.Put([4]uint64{uint64(number)})
			}
		}(clerk)
	}
	clerks.Wait()
	for number := first; number < last; number += 3 {
		for _, c := range d.carriers {
			c.Load(wrap(number, 0))
		}
	}
}

func write(path string, debug int) {
	file, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	runtime.GC() // profiles show the heap as of the last collection
	runtime.GC()
	if err := pprof.Lookup("heap").WriteTo(file, debug); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}

func main() {
	runtime.MemProfileRate = 4096
	dir := os.Args[1]
	d := &depot{carriers: []Carrier{&van{}, &bicycle{labels: map[string]int{}}}}
	d.shift(0, 6000)
	write(filepath.Join(dir, "depot.0.pb.gz"), 0)
	d.shift(6000, 15000)
	write(filepath.Join(dir, "depot.1.pb.gz"), 0)
	write(filepath.Join(dir, "depot.txt"), 1)
	runtime.KeepAlive(d)
}
