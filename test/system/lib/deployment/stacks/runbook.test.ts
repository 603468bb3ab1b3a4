import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verbs } from '../../../../../lib/operator/operate.ts';
import { dev, type Json, type Synthesized } from './synthesized.ts';
import { gradual } from './synthesized-gradual.ts';

const root = join(import.meta.dirname, '../../../../..');
const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
const [, alarmsPart = ''] = runbook.split('\n## Alarms\n');

/** GitHub's anchor of a heading. */
const anchor = (heading: string) => heading.toLowerCase().replaceAll(/[^a-z0-9-]/g, '');
const entries = [...alarmsPart.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchor(heading));

/** The descriptions of all alarms of an app, those of every stack. */
function descriptions({ templates }: Synthesized): string[] {
  return [...templates.values()]
    .flatMap(({ json }) => Object.values<Json>(json.Resources))
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm' || Type === 'AWS::CloudWatch::CompositeAlarm')
    .map(({ Properties }) => String(Properties.AlarmDescription));
}
const named = (description: string) =>
  /docs\/runbook\.md#([a-z0-9-]+)\.$/.exec(description)?.[1] ?? description;

test('each alarm of a stage that deploys gradually names its entry of the runbook, and each entry has an alarm', () => {
  expect(descriptions(gradual).map(named).sort()).toEqual(entries.toSorted());
});

test('a stage without gradual deployment and AWS WAF has no alarm for these, and all others', () => {
  const others = entries.filter((entry) => entry !== 'deploymentfailing' && entry !== 'requestsblocked');
  expect(descriptions(dev).map(named).sort()).toEqual(others.toSorted());
});

test('the commands of the runbook exist', () => {
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
  const commands = [
    ...runbook.matchAll(/npm run (?:-s |--silent )?([\w:-]+)(?: -- ([a-z-]+(?: [a-z-]+)?))?/g),
  ];
  expect(commands.length).toBeGreaterThan(0);
  for (const [command, script = '', verb = ''] of commands) {
    expect(scripts, command).toContain(script);
    if (script === 'operator')
      expect(
        verbs.map(({ name }) => name),
        command,
      ).toContain(verb);
  }
});
