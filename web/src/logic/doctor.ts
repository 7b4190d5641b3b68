import type { DoctorModule } from '../api/types';

/** Files of which something is wrong: the program's own before the system's, the heaviest first. */
export function troubled(modules: readonly DoctorModule[]): readonly DoctorModule[] {
  const ill = modules.filter((m) => m.problem !== '');
  return ill.sort((a, b) => Number(a.is_system) - Number(b.is_system) || b.value - a.value);
}

/** A file's name without its folder. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
