import type { DoctorModule, DumpMeta } from '../api/types';

/** Modules with a problem: the program's own before the system's, the largest first. */
export function troubled(modules: readonly DoctorModule[]): readonly DoctorModule[] {
  const ill = modules.filter((m) => m.problem !== '');
  return ill.sort((a, b) => Number(a.is_system) - Number(b.is_system) || b.value - a.value);
}

/**
 * The one file whose names make the whole page misleading: of another build, or heavy and mostly
 * without functions. Files of the system never do.
 */
export function misleading(modules: readonly DoctorModule[]): DoctorModule | undefined {
  const own = troubled(modules).filter((m) => !m.is_system);
  const heaviest = Math.max(0, ...modules.map((m) => m.value));
  return own.find((m) => m.is_doubtful) ?? own.find((m) => m.value * 2 >= heaviest && m.function * 2 < m.value);
}

/** Skipped files that are not profiles, from a folder or a pattern. */
const OTHER_FILES = /(?:^|: )skipped \d+ files? that (?:is not a profile|are not profiles)|: this is .*, which heapview cannot open/;

/**
 * Whether a message is no reason for doubt: skipped files do not change any number, and the footer shows how many
 * names are known when only files of the system are missing.
 */
export function isHarmless(text: string, modules: readonly DoctorModule[]): boolean {
  if (OTHER_FILES.test(text)) return true;
  return text.startsWith('not found: ') && troubled(modules).every((m) => m.is_system && !m.is_doubtful);
}

/** Warnings that a profile is truncated, as the parsers word them (`src/parse/error.rs`). */
export function cutOff(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => /\b(?:is|was) (?:cut off|truncated)\b/.test(warning));
}

/** Most dumps that a suggested command lists; with more only the last one is named. */
const FEW = 8;

/** The command that opens these dumps with their binary, to be copied; empty without dumps. */
export function openCommand(dumps: readonly Pick<DumpMeta, 'name' | 'is_thinned'>[]): string {
  const names = dumps.flatMap((dump) => (dump.is_thinned === true ? [] : [dump.name]));
  const given = names.length > FEW ? names.slice(-1) : names;
  return given.length === 0 ? '' : `heapview -http=: BINARY ${given.map(shellQuoted).join(' ')}`;
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
