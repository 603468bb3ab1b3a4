import { type Environment, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { deployment } from '../support/deployment.ts';

/** The acknowledgements of the stacks, as they are made. */
function acknowledgedRules(): string[] {
  const seen = vi.spyOn(Validations.prototype, 'acknowledge');
  deployment().remove();
  return seen.mock.calls.flat().map(({ id }) => id);
}

/** Synthesizes, and gives what the rules had to say when they stopped it. */
function violations(
  change: (made: ReturnType<typeof deployment>) => void = () => {},
  env: Environment = {},
): string {
  const output: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => output.push(String(text)) > 0);
  }
  vi.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
  vi.spyOn(console, 'error').mockImplementation((text) => void output.push(String(text)));
  const made = deployment({ alarmEmail: 'alarms@example.com' }, undefined, env);
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

describe('the rules of AwsSolutions', () => {
  afterEach(() => vi.restoreAllMocks());

  test('are kept, but for what is acknowledged with a reason', () => {
    expect(violations()).toBe('');
  });

  // The command line always knows a region, and an account once it may deploy.
  test.each([{ region: 'eu-west-1' }, { region: 'eu-west-1', account: '123456789012' }])(
    'are kept in %j too',
    (env) => {
      expect(violations(undefined, env)).toBe('');
    },
  );

  test('stop the synthesis of what breaks them', () => {
    expect(violations(({ data }) => new Bucket(data, 'Open'))).toContain('AwsSolutions-S1');
  });

  test('need each acknowledgement: without it they stop the synthesis', () => {
    const rules = acknowledgedRules();
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) {
      vi.restoreAllMocks();
      const acknowledge = Validations.prototype.acknowledge;
      vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(function (
        this: Validations,
        ...given
      ) {
        return acknowledge.apply(
          this,
          given.filter(({ id }) => id !== rule),
        );
      });
      expect(violations(), rule).toContain(rule);
    }
  });
});
