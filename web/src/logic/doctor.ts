import type { DoctorModule } from '../api/types';

/** Files of which something is wrong: the program's own before the system's, the heaviest first. */
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

/** Warnings that a file ended before its end, as the parsers word them (`src/parse/error.rs`). */
export function cutOff(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => /\b(?:is|was) (?:cut off|truncated)\b/.test(warning));
}
