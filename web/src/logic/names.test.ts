import { describe, expect, it } from 'vitest';
import { displayName, functionOf, NO_ROW, packageOf, shortNames } from './names';

describe('packageOf', () => {
  it.each([
    ['forest::main', 'forest'],
    ['<parity_db::log::Log>::end_record', 'parity_db'],
    ['<&mut hyper::body::Body as core::fmt::Debug>::fmt', 'hyper'],
    ['<u32 as my_crate::Trait>::f', 'my_crate'],
    ['<dyn core::any::Any>::type_id', 'core'],
    ['void std::sort<int*>(int*, int*)', 'std'],
    ['rocksdb::Cache::Insert(rocksdb::Slice const&)', 'rocksdb'],
    ['github.com/a/b/store.(*T).Load', 'github.com/a/b/store'],
    ['runtime.mallocgc', 'runtime'],
    ['main.main', 'main'],
    ['malloc', ''],
    ['operator new(unsigned long)', ''],
    ['', ''],
    ['<script>alert("x")</script>', ''],
    ['0x401a2b', ''],
    ['core::ptr::drop_in_place<alloc::vec::Vec<u8>>', 'core'],
  ])('%s is of %s', (name, owner) => {
    expect(packageOf(name)).toBe(owner);
  });
});

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
