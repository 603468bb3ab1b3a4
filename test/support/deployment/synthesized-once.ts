import { readFileSync, writeFileSync } from 'node:fs';
import type { Registered } from '../../../functions/routes.ts';
import type { StageSettings } from '../../../lib/deployment/stages.ts';
import { madeOnce } from '../once.ts';
import { synthesize } from './deployment.ts';

/**
 * As {@link synthesize}, once for all workers of the run.
 *
 * @param name of these settings and routes.
 */
export async function synthesizedOnce(
  name: string,
  settings: Partial<StageSettings>,
  registry?: readonly Registered[],
): Promise<ReturnType<typeof synthesize>> {
  const file = await madeOnce(`synthesized-${name}.json`, (path) => {
    const { templates, warnings } = synthesize(settings, registry);
    writeFileSync(path, JSON.stringify({ templates: [...templates], warnings }));
  });
  const { templates, warnings } = JSON.parse(readFileSync(file, 'utf8'));
  return { templates: new Map(templates), warnings };
}
