import type { Registered } from '../../../functions/routes.ts';
import { routesByPath } from '../../deployment/gateway/paths.ts';
import { decode } from './proxy-event.ts';

/** The resource that matches a path. */
export interface Destination {
  /** The path as the registry has it: `/api/thing/{id}`. */
  resource: string;
  entries: readonly Registered[];
  /** Decoded. */
  parameters: Record<string, string>;
}

/**
 * Matches a path to a resource as API Gateway does: segment by segment, a literal before a `{parameter}`.
 *
 * @returns a function that returns undefined for an unknown path and throws MalformedEncoding.
 */
export function router(registry: readonly Registered[]): (path: string) => Destination | undefined {
  const resources = [...routesByPath(registry)]
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
