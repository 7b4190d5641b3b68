/**
 * A made-up heap for working on the page without the program: a Rust service with a
 * runtime, C and C++ parts, hostile names, three dumps that grow, and inlined frames.
 */

/** A small generator with a seed: the same heap every time. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const ROOTS = [
  [
    '_start',
    '__libc_start_main',
    'main',
    'std::rt::lang_start_internal',
    'std::rt::lang_start::<core::result::Result<(), anyhow::Error>>::{closure#0}',
    'forest::main',
    'forest::daemon::start::{closure#0}',
  ],
  [
    'clone3',
    'start_thread',
    '<std::sys::thread::unix::Thread>::new::thread_start',
    '<alloc::boxed::Box<dyn core::ops::function::FnOnce<(), Output = ()> + core::marker::Send> as core::ops::function::FnOnce<()>>::call_once',
    '<tokio::runtime::blocking::pool::Inner>::run',
    'tokio::runtime::task::raw::poll::<tokio::runtime::blocking::task::BlockingTask<<tokio::runtime::scheduler::multi_thread::worker::Launch>::launch::{closure#0}>>',
    '<tokio::runtime::task::harness::Harness<core::pin::Pin<alloc::boxed::Box<dyn core::future::future::Future<Output = ()> + core::marker::Send>>, alloc::sync::Arc<tokio::runtime::scheduler::multi_thread::handle::Handle>>>::poll',
  ],
  [
    'clone3',
    'start_thread',
    '<std::sys::thread::unix::Thread>::new::thread_start',
    'std::sys::backtrace::__rust_begin_short_backtrace::<<parity_db::db::Db>::open_inner::{closure#2}, ()>',
    '<parity_db::db::Db>::log_worker',
  ],
];
const MIDDLE = [
  '<parity_db::db::DbInner>::process_commits',
  '<parity_db::log::Log>::end_record',
  '<parity_db::column::HashColumn>::write_plan',
  '<parity_db::table::ValueTable>::overwrite_chain',
  'forest::chain_sync::tipset_syncer::load_tipset',
  '<forest::chain_sync::chain_follower::SyncStateMachine>::new',
  '<forest::message_pool::msgpool::pending_store::PendingStore>::insert',
  'forest::rpc::start_rpc::{closure#0}::{closure#2}::{closure#0}',
  '<hyper::proto::h1::dispatch::Dispatcher<hyper::proto::h1::dispatch::Server<jsonrpsee_server::utils::NotifyOnRequest<hyper_util::service::glue::TowerToHyperService<tower::util::ServiceFn<forest::rpc::start_rpc::{closure#0}>>>, hyper::body::Incoming>>>::poll_catch',
  'jsonrpsee_server::transport::http::call_with_service::<forest::rpc::auth_layer::Auth<jsonrpsee_server::middleware::rpc::RpcService>>',
  '<libp2p_swarm::Swarm<forest::libp2p::behaviour::ForestBehaviour>>::poll_next_event',
  '<libp2p_gossipsub::behaviour::Behaviour>::handle_received_message',
  '<quick_cache::shard::CacheShard<cid::Cid, alloc::sync::Arc<[u8]>>>::insert',
  '<prometheus_client::registry::Registry>::register',
  'rocksdb::BlockBasedTable::NewIndexIterator(rocksdb::ReadOptions const&, bool)',
  'void std::vector<rocksdb::Slice, std::allocator<rocksdb::Slice>>::_M_realloc_insert<rocksdb::Slice>(rocksdb::Slice&&)',
  'github.com/filecoin-project/lotus/chain/store.(*ChainStore).LoadTipSet',
  'runtime.mallocgc',
  'serde_json::de::from_slice::<forest::blocks::header::RawBlockHeader>',
  '<indexmap::map::IndexMap<alloc::string::String, serde_json::value::Value>>::insert_full',
  '<wasmtime::runtime::instance::Instance>::new_raw',
  'wasmtime_cranelift::compiler::Compiler::compile_function',
  '<blake2b_simd::many::HashManyJob>::new',
  'zstd_sys::ZSTD_createCCtx',
];
const LEAVES = [
  '<alloc::raw_vec::RawVecInner>::finish_grow',
  '<hashbrown::raw::RawTable<(u64, (u64, u64, parity_db::index::Chunk))>>::reserve_rehash::<hashbrown::map::make_hasher<u64, (u64, u64, parity_db::index::Chunk), ahash::random_state::RandomState>>',
  '<alloc::raw_vec::RawVecInner>::try_allocate_in',
  'operator new(unsigned long)',
  '__rustc::__rust_alloc',
  'je_malloc',
  '<bytes::bytes_mut::BytesMut>::reserve_inner',
];
const HOSTILE = [
  '<script>alert("x")</script>',
  'مخزن::ذاكرة::حجز',
  '\u202Eevil::reversed',
  `deep::${'Very<Nested, '.repeat(700)}`,
  '"quoted" \\ back\\slash; & <b>bold</b>',
  '',
  '0000000000401a2b',
];
const INLINED = new Set([
  '<alloc::raw_vec::RawVecInner>::finish_grow',
  'serde_json::de::from_slice::<forest::blocks::header::RawBlockHeader>',
]);

function fileOf(name) {
  const path = name
    .replace(/^[<&]*/, '')
    .split(/[<(]/)[0]
    .split('::')
    .slice(0, 3);
  return path.length > 2 ? `/root/.cargo/registry/src/${path[0]}-0.4.13/src/${path[1]}.rs` : '';
}

/** Stacks (numbers of functions, root first) with bytes in each of three dumps. */
export function makeHeap(nStacks = 9000, seed = 7) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() ** 1.8 * list.length)];
  const names = [];
  const numberOf = new Map();
  const number = (name) => {
    if (!numberOf.has(name)) {
      numberOf.set(name, names.length);
      names.push(name);
    }
    return numberOf.get(name);
  };
  const crates = ['forest', 'parity_db', 'tokio', 'libp2p', 'cid', 'ipld', 'hyper', 'wasmtime'];
  const nExtra = Math.max(120, Math.ceil(nStacks / 10));
  const extra = Array.from({ length: nExtra }, (_, i) => `${crates[i % crates.length]}::module_${i % 40}::Type${i % 90}::method_${i}`);
  // Each function calls a few others, some far more than the rest: stacks share their beginnings.
  const callable = [...MIDDLE, ...extra];
  const callees = new Map();
  const calleesOf = (name) => {
    if (!callees.has(name)) {
      const n = 1 + Math.floor(next() ** 2 * 6);
      callees.set(
        name,
        Array.from({ length: n }, () => (next() < 0.25 ? pick(MIDDLE) : callable[Math.floor(next() * callable.length)])),
      );
    }
    return callees.get(name);
  };
  const samples = [];
  for (let i = 0; i < nStacks; i++) {
    const stack = [...pick(ROOTS)];
    const depth = 3 + Math.floor(next() ** 1.5 * (nStacks > 20000 ? 40 : 22));
    for (let d = 0; d < depth; d++) {
      const list = calleesOf(stack.at(-1));
      stack.push(list[Math.floor(next() ** 2.6 * list.length)]);
    }
    if (i % 61 === 0) stack.push(HOSTILE[Math.floor(next() * HOSTILE.length)]);
    stack.push(pick(LEAVES));
    const bytes = Math.floor(2 ** (6 + next() ** 3 * 15));
    const mood = (stack[stack.length - 3] ?? '').length % 7;
    const trend = next() * 0.4 + mood / 10;
    samples.push({
      stack: stack.map(number),
      values: [trend > 0.8 ? 0 : bytes, Math.floor(bytes * (0.6 + trend)), trend < 0.12 ? 0 : Math.floor(bytes * (0.4 + trend * 1.6))],
    });
  }
  return {
    names,
    samples,
    rows: names.map((name, i) => ({
      name,
      full_name: i % 3 === 0 ? `_RNvMs0_${name.replace(/\W+/g, '_').slice(0, 80)}` : '',
      file: fileOf(name),
      line: fileOf(name) === '' ? 0 : 10 + ((i * 37) % 900),
      object: name.startsWith('je_') ? 'libjemalloc.so.2' : 'forest',
    })),
    inlined: names.map((n) => INLINED.has(n)),
  };
}
