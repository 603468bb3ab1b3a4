import type { FilterPattern, TextCondition } from '../../deployment/stream.ts';

/**
 * Whether a record matches a filter pattern: every field that the pattern names is there and meets one of its conditions.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function matches(pattern: FilterPattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, condition]) => {
    const value: unknown =
      typeof record === 'object' && record !== null ? Reflect.get(record, field) : undefined;
    return isCondition(condition) ? meets(condition, value) : matches(condition, value);
  });
}

function isCondition(condition: TextCondition | FilterPattern): condition is TextCondition {
  return Array.isArray(condition);
}

function meets(condition: TextCondition, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    condition.some((one) => (typeof one === 'string' ? value === one : value.startsWith(one.prefix)))
  );
}
