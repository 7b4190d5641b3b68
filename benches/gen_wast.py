#!/usr/bin/env python3
"""Writes a WebAssembly script that makes `wasmtime wast` compile and run much: benches/symbolize.sh profiles that.

    gen_wast.py FILE

The same text at every run: one module of 160 functions made by dice with a fixed seed, and small ones with a bit of
everything else (tables, bulk memory, SIMD, garbage collection, exceptions, 64-bit memory, components).
"""

import random
import sys

SMALL = r"""
(module (memory 1) (data (i32.const 8) "hello") (data $p "passive") (table $t 10 funcref)
  (elem (i32.const 0) $triple $choose) (elem $e func $triple)
  (type $sig (func (param i32) (result i32)))
  (func $triple (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func $choose (param i32) (result i32)
    (block $x (block $y (block $z (br_table $x $y $z (local.get 0))))) (i32.const 9))
  (func (export "call") (param i32) (result i32) (call_indirect (type $sig) (i32.const 7) (local.get 0)))
  (func (export "bulk")
    (memory.copy (i32.const 0) (i32.const 8) (i32.const 4)) (memory.fill (i32.const 90) (i32.const 1) (i32.const 5))
    (memory.init $p (i32.const 50) (i32.const 0) (i32.const 3)) (data.drop $p)
    (table.init $e (i32.const 3) (i32.const 0) (i32.const 1))
    (drop (memory.grow (i32.const 1))) (drop (table.grow (ref.null func) (i32.const 1))))
  (func (export "round") (param f32 f64) (result i64)
    (i64.add (i64.trunc_sat_f32_s (f32.sqrt (local.get 0))) (i64.reinterpret_f64 (f64.nearest (local.get 1)))))
  (func (export "lanes") (param v128 v128) (result v128)
    (i8x16.swizzle (i16x8.add_sat_s (local.get 0) (local.get 1)) (f32x4.mul (local.get 1) (local.get 0))))
  (func (export "trap") (unreachable)))
(assert_return (invoke "call" (i32.const 1)) (i32.const 9))
(assert_return (invoke "bulk"))
(assert_return (invoke "round" (f32.const 4) (f64.const 1.5)) (i64.const 4611686018427387906))
(assert_trap (invoke "trap") "unreachable")
(assert_trap (invoke "call" (i32.const 5)) "uninitialized element")
(assert_invalid (module (func (result i32) (i64.const 1))) "type mismatch")
(assert_invalid (module (func (local.get 3))) "unknown local")
(module
  (type $pair (struct (field (mut i32)) (field f64))) (type $bytes (array (mut i8)))
  (rec (type $one (struct (field (ref null $two)))) (type $two (struct (field (ref null $one)))))
  (func (export "collect") (result i32) (local $p (ref null $pair)) (local $b (ref null $bytes))
    (local.set $p (struct.new $pair (i32.const 4) (f64.const 1)))
    (local.set $b (array.new $bytes (i32.const 1) (i32.const 10)))
    (drop (struct.new $one (ref.null $two)))
    (i32.add (struct.get $pair 0 (local.get $p)) (array.len (local.get $b)))))
(assert_return (invoke "collect") (i32.const 14))
(module (tag $e (param i32)) (func (export "throw") (result i32)
  (block $h (result i32) (try_table (catch $e $h) (throw $e (i32.const 5))) (i32.const 1))))
(assert_return (invoke "throw") (i32.const 5))
(module (memory i64 1) (func (export "far") (param i64) (result i32) (i32.load (local.get 0))))
(assert_trap (invoke "far" (i64.const 99999999)) "out of bounds")
(module (memory 1 1 shared) (func (export "count") (result i32) (i32.atomic.rmw.add (i32.const 0) (i32.const 1))))
(component definition $C
  (core module $m (memory (export "mem") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 100))
    (func (export "run") (param i32 i32) (result i32) (i32.const 16)))
  (core instance $i (instantiate $m))
  (type $r (record (field "a" u32) (field "b" string) (field "c" (list u8)) (field "d" (option f64))))
  (func (export "run") (param "s" string) (result string)
    (canon lift (core func $i "run") (memory $i "mem") (realloc (func $i "realloc")))))
(component instance $C $C)
(assert_return (invoke "run" (str.const "hello")) (str.const ""))
"""

WHOLE = ["i32.add", "i32.sub", "i32.mul", "i32.and", "i32.or", "i32.xor", "i32.shl", "i32.shr_u", "i32.rotl"]
REAL = ["f64.add", "f64.mul", "f64.sub", "f64.div", "f64.max"]


def statement(dice, number, step):
    kind = dice.randrange(9)
    if kind < 3:
        return f"(local.set 0 ({dice.choice(WHOLE)} (local.get 0) (i32.const {dice.randrange(1, 99999)})))"
    if kind == 3:
        return f"(local.set 3 ({dice.choice(REAL)} (local.get 3) (f64.convert_i32_s (local.get 1))))"
    if kind == 4:
        return f"(i32.store offset={dice.randrange(999) * 4} (i32.and (local.get 0) (i32.const 1023)) (local.get 1))"
    if kind == 5:
        then = "(local.set 1 (i32.load (i32.and (local.get 1) (i32.const 4095))))"
        return f"(if (i32.gt_s (local.get 0) (i32.const {step})) (then {then}) (else (local.set 1 (i32.clz (local.get 0)))))"
    if kind == 6 and number:
        return f"(local.set 1 (call $f{dice.randrange(number)} (local.get 0) (local.get 1)))"
    if kind == 7:
        less = "(local.set 0 (i32.sub (local.get 0) (i32.const 1)))"
        return f"(block (loop (br_if 1 (i32.eqz (local.get 0))) {less} (br_if 0 (i32.lt_u (local.get 0) (local.get 1)))))"
    return "(local.set 5 (i32x4.add (local.get 5) (i32x4.splat (local.get 0))))"


def big():
    dice = random.Random(7)
    yield '(module (memory (export "memory") 2) (table 64 funcref) (global $g (mut i32) (i32.const 7))'
    for number in range(160):
        yield f"  (func $f{number} (param i32 i32) (result i32) (local i64 f64 f32 v128)"
        for step in range(dice.randrange(5, 30)):
            yield f"    {statement(dice, number, step)}"
        yield "    (i32.add (local.get 0) (local.get 1)))"
    yield '  (func (export "start") (drop (call $f159 (i32.const 3) (i32.const 4)))))'


with open(sys.argv[1], "w") as file:
    file.write("\n".join(big()) + SMALL)
