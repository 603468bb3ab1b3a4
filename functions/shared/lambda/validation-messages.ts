import type { core } from 'zod/mini';

/**
 * The issues of a failed schema as `{ field: sentence }`. A nested field is named like `links[3].url`, the
 * body or query itself by `root`. Values are never quoted, because they may be secret.
 */
export function validationMessages(issues: readonly core.$ZodIssue[], root: string): Record<string, string> {
  return Object.fromEntries(issues.map((issue) => [fieldName(issue.path) || root, sentence(issue)]));
}

/** The name of a field: `links[3].url`. Empty for an empty path. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function sentence(issue: core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `${verb(issue.origin)} ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `${verb(issue.origin)} ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    case 'custom':
      return issue.message;
    // A text of the schema's own, such as `must be 6 digits`. The default text of the package says nothing.
    case 'invalid_format':
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
    default:
      return 'is not valid';
  }
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const verb = (origin: string): string => (origin === 'array' ? 'must hold' : 'must be');

const unit = (origin: string): string => (origin === 'string' ? ' characters long' : '');
