import { dayMs, hourMs, minuteMs } from '../../shared/runtime/duration.ts';

const units = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
] as const;

/** "2 d 5 h", "3 h 12 min", "4 min": the two largest units of a duration, rounded down. */
export function durationText(ms: number): string {
  const largest = units.findIndex(([unit]) => ms >= unit);
  if (largest === -1) return '0 min';
  const parts = units.slice(largest, largest + 2).map(([unit, name], n) => {
    const rest = n === 0 ? ms : ms % (units[largest]?.[0] ?? unit);
    return [Math.floor(rest / unit), name] as const;
  });
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, name]) => `${amount} ${name}`)
    .join(' ');
}

/** The value that a share of the values does not exceed: the nearest rank. @param values at least one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
