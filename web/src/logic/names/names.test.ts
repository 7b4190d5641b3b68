import { describe, expect, it } from 'vitest';
import { addressOf, breakable, displayName, functionOf, NO_ROW, shortNames, splitName } from './names';

describe('shortNames', () => {
  it('gets shorter and never empty', () => {
    for (const name of [
      '<core::pin::Pin<alloc::boxed::Box<dyn core::future::future::Future<Output = ()>>> as core::future::future::Future>::poll',
      'tokio::runtime::task::raw::poll::<tokio::task::Blocking<a::B>>',
      'f',
      `a::${'B<'.repeat(3000)}`,
    ]) {
      const forms = shortNames(name);
      forms.forEach((form, i) => {
        expect(form).not.toBe('');
        if (i > 0) expect(form.length).toBeLessThan(forms[i - 1]?.length ?? 0);
      });
    }
  });
  it('keeps the function when it folds its types', () => {
    expect(shortNames('std::rt::begin::<<parity_db::db::Db>::open::{closure#2}, ()>')).toContain('begin<…>');
    expect(shortNames('<alloc::boxed::Box<dyn core::ops::FnOnce<()>> as core::ops::FnOnce<()>>::call_once')).toContain('Box<…>::call_once');
    expect(shortNames('<parity_db::log::Log>::end_record')).toEqual(['parity_db::log::Log::end_record', 'Log::end_record', 'end_record']);
    expect(shortNames('github.com/a/b/store.(*T).Load')).toEqual(['github.com/a/b/store.(*T).Load', 'store.(*T).Load', 'Load']);
  });
  it('keeps a closure with its function', () => {
    expect(displayName(`forest::daemon::${'x'.repeat(90)}::start::{closure#0}`)).toMatch(/start::\{closure#0\}$/);
  });
});

describe('addressOf', () => {
  it('is before the name, or alone', () => {
    expect(addressOf({ ...NO_ROW, name: '0000000000401136 main a.c:3', file: 'a.c' })).toBe('0000000000401136');
    expect(addressOf({ ...NO_ROW, name: '0000000000401136' })).toBe('0000000000401136');
    expect(addressOf({ ...NO_ROW, name: 'main' })).toBe('');
  });
});

describe('functionOf', () => {
  it.each([
    ['load', '', 'load'],
    ['load src/a.rs', 'src/a.rs', 'load'],
    ['load src/a.rs:12', 'src/a.rs', 'load'],
    ['load src/a.rs:12:3', 'src/a.rs', 'load'],
    ['0000000000401a2b load src/a.rs:12', 'src/a.rs', 'load'],
    ['src/a.rs', 'src/a.rs', 'src/a.rs'],
    ['0000000000401a2b', '', '0000000000401a2b'],
  ])('%s in %s is %s', (name, file, own) => {
    expect(functionOf({ ...NO_ROW, name, file })).toBe(own);
  });
});

describe('displayName', () => {
  it.each([
    [
      '<core::pin::Pin<alloc::boxed::Box<dyn core::future::future::Future<Output = core::result::Result<(), ledger::Error>>>> as core::future::future::Future>::poll',
      'Pin<Box<dyn Future<…>>>::poll',
    ],
    ['<alloc::vec::Vec<>>::with_capacity', 'alloc::vec::Vec::with_capacity'],
    ['std::panic::catch_unwind::<>', 'std::panic::catch_unwind'],
    [
      '<<alloc::boxed::Box<> as core::convert::From<>>::from as core::ops::function::FnOnce<>>::call_once',
      '<Box as From>::from::call_once',
    ],
    ['tokio::runtime::task::core::Core<T,S>::poll', 'tokio::runtime::task::core::Core<T,S>::poll'],
    ['ledger::peers::gossip::{{closure}}', 'ledger::peers::gossip::{{closure}}'],
    ['github.com/klauspost/compress/zstd.(*Encoder).Reset', 'github.com/klauspost/compress/zstd.(*Encoder).Reset'],
    ['', '(no name)'],
  ])('%s reads %s', (name, short) => {
    expect(displayName(name)).toBe(short);
  });
});

describe('splitName', () => {
  it.each([
    ['parity_db::log::Log::end_record', '::end_record'],
    ['ledger::start::{closure#0}', '::start::{closure#0}'],
    ['Pin<Box<…>>::poll', '::poll'],
    ['alloc::vec::Vec<T,A>::extend<a::B>', '::extend<a::B>'],
    ['github.com/a/b/store.(*T).Load', 'store.(*T).Load'],
    ['malloc', 'malloc'],
    ['operator new(unsigned long)', 'operator new(unsigned long)'],
  ])('%s ends with %s', (name, end) => {
    const [path, rest] = splitName(name);
    expect(rest).toBe(end);
    expect(path + rest).toBe(name);
  });
});

describe('breakable', () => {
  it('breaks between the parts of a name or path, and loses nothing', () => {
    expect(breakable('tokio::runtime::context::enter_runtime')).toEqual(['tokio::', 'runtime::', 'context::', 'enter_runtime']);
    expect(breakable('/usr/src/a.rs:12')).toEqual(['/', 'usr/', 'src/', 'a.rs:12']);
    expect(breakable('std::map<int, a::b>::at(int)')).toEqual(['std::', 'map<', 'int,', ' a::', 'b>::', 'at(', 'int)']);
    for (const text of ['', '::', 'a::', '<<<>>>', '//', 'ünïcode::名前']) expect(breakable(text).join('')).toBe(text);
  });
});
