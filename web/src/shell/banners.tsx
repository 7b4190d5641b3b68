import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { DoctorModule } from '../api/types';
import { matchedBuilds } from '../logic/builds';
import { cutOff, misleading, openCommand } from '../logic/doctor';
import { baseName } from '../logic/names/names';
import type { Store } from '../state/store';
import { Banner } from '../ui/banner';
import { FilePicker } from './opening/files';

interface Props {
  readonly store: Store;
}

/** Warnings that concern the whole page, with a button that does what they advise. */
export function Banners({ store }: Props) {
  return (
    <div class="banners">
      <LinkNote store={store} />
      <CutOff store={store} />
      <Names store={store} />
      <Builds store={store} />
    </div>
  );
}

/** A link that was made for other files. */
function LinkNote({ store }: Props) {
  const note = store.linkNote.value;
  if (note === '') return null;
  return (
    <Banner
      label="Link"
      onClose={() => {
        store.linkNote.value = '';
      }}
    >
      <bdi>{note}</bdi>
    </Banner>
  );
}

/** A profile ended early: its totals are too low. */
function CutOff({ store }: Props) {
  const dismissed = useSignal('');
  const found = cutOff(store.meta.value?.warnings ?? []);
  const [first] = found;
  const key = found.join('\n');
  if (first === undefined || dismissed.value === key) return null;
  return (
    <Banner
      label="Incomplete profile"
      actions={store.meta.value?.may_open === true && <FilePicker store={store} purpose="show" label="Open another dump…" />}
      onClose={() => {
        dismissed.value = key;
      }}
    >
      <b>{found.length === 1 ? 'Incomplete profile' : `${found.length} incomplete profiles`}:</b> <bdi>{first}</bdi>. Totals are too low;
      take the dump again.
    </Banner>
  );
}

/** Names of the program are wrong or missing; the footer lists all files. */
function Names({ store }: Props) {
  const dismissed = useSignal('');
  const meta = store.meta.value;
  const module = meta === undefined || meta.symbols.state === 'working' ? undefined : misleading(meta.symbols.modules);
  if (meta === undefined || module === undefined || dismissed.value === module.problem) return null;
  // A truncated dump has no memory map and so no names; the banner above already reports it.
  if (module.name === '' && cutOff(meta.warnings).length > 0) return null;
  const command = openCommand(meta.dumps);
  return (
    <Banner
      label="Names"
      actions={
        <>
          {meta.may_open && <FilePicker store={store} purpose="show" label="Open binary…" />}
          {store.browser.kind === 'server' && command !== '' && (
            <button
              type="button"
              name="copy-command"
              title={command}
              onClick={() => {
                void store.browser.copy(command).then((done) => {
                  store.notify(done ? 'Command copied' : command);
                });
              }}
            >
              Copy command
            </button>
          )}
        </>
      }
      onClose={() => {
        dismissed.value = module.problem;
      }}
    >
      {textOf(module, store.browser.kind === 'site')}
    </Banner>
  );
}

/** `isSite`: files are not searched. */
function textOf(module: DoctorModule, isSite: boolean): ComponentChildren {
  const name = <bdi>{baseName(module.name)}</bdi>;
  if (module.name === '') return <b>This profile does not name its program. Open the binary to get function names.</b>;
  if (isSite && module.problem === 'not found') {
    return (
      <>
        <b>Function names are missing in {name}.</b> Drop that binary on this page, with its separate debug files if there are any.
      </>
    );
  }
  if (module.is_doubtful) {
    return (
      <>
        <b>Names in {name} may be wrong:</b> <bdi>{module.problem}</bdi>. Open the binary that produced this profile.
      </>
    );
  }
  return (
    <>
      <b>Function names are missing in {name}:</b> <bdi>{module.problem === 'not found' ? 'file not found' : module.problem}</bdi>. Open a
      build with symbols, or see the footer for other ways.
    </>
  );
}

/** How many functions of several builds were matched, and how. */
function Builds({ store }: Props) {
  const dismissed = useSignal(false);
  const builds = store.meta.value?.builds;
  if (builds === undefined || builds === null || dismissed.value) return null;
  return (
    <Banner
      label="Functions of several builds"
      kind="note"
      onClose={() => {
        dismissed.value = true;
      }}
    >
      <bdi>{matchedBuilds(builds)}.</bdi>
    </Banner>
  );
}
