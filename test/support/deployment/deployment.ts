import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Environment, type Stack } from 'aws-cdk-lib';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import type { Timer } from '../../../functions/shared/contract/route.ts';
import { type RegisteredTimer, registeredTimers } from '../../../functions/timers.ts';
import { addDeployment } from '../../../lib/deployment/app.ts';
import { type StageSettings, stageSettings } from '../../../lib/deployment/stages.ts';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'));
/** Where each resource was made, which no template contains: Vitest reads the source map for every line of it. */
const withoutTraces = { 'aws:cdk:disable-creation-stack-traces': true };

// biome-ignore lint/suspicious/noExplicitAny: tests read templates of any shape.
type Json = any;

/**
 * The stacks as `cdk synth` makes them, with empty code in place of the bundles.
 *
 * @returns the stacks, and a function that removes what was written.
 */
export function deployment(
  settings: Partial<StageSettings> = {},
  registry: readonly Registered[] = registeredRoutes(),
  env: Environment = {},
  timers: readonly RegisteredTimer[] = registeredTimers(),
) {
  const work = mkdtempSync(join(tmpdir(), 'vouchsafe-stacks-'));
  mkdirSync(join(work, 'code'));
  writeFileSync(join(work, 'code/index.js'), 'exports.handler = async () => {};\n');
  mkdirSync(join(work, 'layer/geo'), { recursive: true });
  writeFileSync(join(work, 'layer/geo/NOTICE'), 'none\n');
  const app = new App({
    outdir: join(work, 'cdk.out'),
    context: { ...context, ...withoutTraces },
    analyticsReporting: false,
    // It takes seconds and can only warn. `npm run synth` runs it.
    builtinCloudFormationValidation: false,
  });
  const stacks = addDeployment(app, {
    stage: { ...stageSettings(settings.name ?? 'dev'), ...settings },
    registry,
    timers,
    env,
    bundles: [...registry, ...timers].map(({ id }) => ({ id, directory: join(work, 'code') })),
    geoDirectory: join(work, 'layer'),
  });
  return { app, ...stacks, remove: () => rmSync(work, { recursive: true, force: true }) };
}

/** A template as it is uploaded. */
export interface SynthesizedTemplate {
  readonly json: Json;
  readonly bytes: number;
}

/**
 * The templates of a deployment: `data`, `api`, `Gateway`, and one for each part of a service by its id.
 *
 * @returns also the warnings of the synthesis.
 */
export function synthesize(
  settings: Partial<StageSettings> = {},
  registry?: readonly Registered[],
  timers?: readonly RegisteredTimer[],
) {
  const { app, data, api, remove } = deployment(settings, registry, {}, timers);
  const assembly = app.synth();
  const template = (file: string): SynthesizedTemplate => {
    const text = readFileSync(join(app.outdir, file));
    return { json: JSON.parse(text.toString()), bytes: text.length };
  };
  const stacks: [string, Stack][] = [['data', data], ['api', api], ['Gateway', api.gateway], ...api.services];
  const templates = new Map(stacks.map(([name, stack]) => [name, template(stack.templateFile)]));
  const warnings = assembly.stacks.flatMap(({ messages }) => messages.map(({ entry }) => String(entry.data)));
  remove();
  return { templates, warnings };
}

/** The graphs on the dashboard. */
export function dashboardGraphs(templates: ReadonlyMap<string, SynthesizedTemplate>): Json[] {
  const resources = Object.values<Json>(templates.get('api')?.json.Resources);
  const dashboard = resources.find(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
  const [, parts] = dashboard.Properties.DashboardBody['Fn::Join'];
  const text = parts.map((part: Json) => (typeof part === 'string' ? part : 'a reference')).join('');
  return JSON.parse(text).widgets;
}

/** The metrics on the dashboard: namespace, name, dimensions, and an object with options. */
export function dashboardMetrics(templates: ReadonlyMap<string, SynthesizedTemplate>): Json[][] {
  const rows: Json[][] = dashboardGraphs(templates).flatMap(({ properties }) => properties.metrics);
  // An expression has no namespace.
  const metrics = rows.filter(([namespace]) => typeof namespace === 'string');
  // A dot stands for the value in the row above.
  let above: Json[] = [];
  return metrics.map((row) => {
    above = row.map((value, i) => (value === '.' ? above[i] : value));
    return above;
  });
}

/** The description of the function of a timer. */
export function timerDescription({ everyMinutes, stream, summary }: Timer): string {
  if (stream !== undefined) return `By the stream: ${summary}`;
  return `${everyMinutes === undefined ? 'By a state machine' : `Every ${everyMinutes} minutes`}: ${summary}`;
}
