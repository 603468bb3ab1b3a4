import { decode } from './proxy-event.ts';

export interface Destination<T> {
  /** The path as the table has it: `/api/thing/{id}`. */
  resource: string;
  entries: T;
  parameters: Record<string, string>;
}

/**
 * Matches a path to a resource as API Gateway does: segment by segment, a literal before a `{parameter}`.
 *
 * @returns a function that returns undefined for an unknown path and throws MalformedEncoding.
 */
export function router<T>(table: ReadonlyMap<string, T>): (path: string) => Destination<T> | undefined {
  const resources = [...table]
    .map(([resource, entries]) => ({ resource, entries, segments: resource.split('/') }))
    .sort((a, b) => (rank(a.segments) < rank(b.segments) ? -1 : 1));

  return (path) => {
    const sent = path.split('/').map(decode);
    for (const { resource, entries, segments } of resources) {
      const parameters = matched(segments, sent);
      if (parameters !== undefined) return { resource, entries, parameters };
    }
    return undefined;
  };
}

/** Sort key of the resources that one path could match: literal segments first, the leftmost counts most. */
function rank(segments: readonly string[]): string {
  return segments.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
}

function matched(segments: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== sent.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [i, segment] of segments.entries()) {
    const value = sent[i] ?? '';
    if (segment.startsWith('{')) {
      if (value === '') return undefined;
      parameters.push([segment.slice(1, -1), value]);
    } else if (segment !== value) return undefined;
  }
  return Object.fromEntries(parameters);
}
