import { type Environment, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { registeredRoutes } from '../../../../functions/routes.ts';
import type { StageSettings } from '../../../../lib/deployment/stages.ts';
import { deployment } from '../../../support/deployment/deployment.ts';

type Deployment = ReturnType<typeof deployment>;

/** The deployment without its acknowledgements: these, and the rules that it then breaks. */
function unacknowledged(
  env: Environment,
  settings: Partial<StageSettings> = {},
): { acknowledged: string[]; broken: string[] } {
  const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(() => {});
  const made = deployment({ alarmEmail: 'alarms@example.com', ...settings }, undefined, env);
  try {
    const acknowledged = acknowledge.mock.calls.flat().map(({ id }) => id);
    return { acknowledged, broken: brokenRules(made) };
  } finally {
    made.remove();
    vi.restoreAllMocks();
  }
}

/** The rules that a deployment breaks without acknowledging them. */
function brokenRules({ app }: Deployment): string[] {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  return [...new Set(violations.map(({ ruleName }) => ruleName))];
}

/** Synthesizes, and returns what the rules report when they stop it. */
function synthesisReport(change: (made: Deployment) => void): string {
  const output: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => output.push(String(text)) > 0);
  }
  vi.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
  vi.spyOn(console, 'error').mockImplementation((text) => void output.push(String(text)));
  // The stages of the API have the rule: a few methods are enough.
  const made = deployment({ alarmEmail: 'alarms@example.com' }, registeredRoutes().slice(0, 4), {}, []);
  change(made);
  try {
    made.app.synth();
    return '';
  } catch (error) {
    return `${error}\n${output.join('')}`;
  } finally {
    made.remove();
    vi.restoreAllMocks();
  }
}

describe('the AwsSolutions rules', () => {
  afterEach(() => vi.restoreAllMocks());

  test('stop the synthesis even where a rule only warns', () => {
    const acknowledge = Validations.prototype.acknowledge;
    vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(function (this: Validations, ...rules) {
      return acknowledge.apply(
        this,
        rules.filter(({ id }) => id !== 'AwsSolutions-APIG3'),
      );
    });
    expect(synthesisReport(() => {})).toContain('AwsSolutions-APIG3');
  });

  // The command line always knows a region, and an account once it may deploy.
  test.each([{}, { region: 'eu-west-1', account: '123456789012' }])(
    'are broken only where they are acknowledged with a reason, and each acknowledgement is needed, in %j',
    (env) => {
      const { acknowledged, broken } = unacknowledged(env);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(broken.toSorted()).toEqual([...new Set(acknowledged)].toSorted());
    },
  );

  test('are followed, with each acknowledgement on the construct that it is for', () => {
    const env = { region: 'eu-west-1', account: '123456789012' };
    const made = deployment({ alarmEmail: 'alarms@example.com' }, undefined, env);
    expect(brokenRules(made)).toEqual([]);
    made.remove();
  });
});
