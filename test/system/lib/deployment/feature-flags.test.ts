import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../cdk.json'), 'utf8'));

/** The flags that have another value than AWS recommends, and why. */
const kept: Readonly<Record<string, string>> = {
  '@aws-cdk/core:enablePartitionLiterals':
    'A template has the same ARNs with and without a region, and rules are acknowledged by them.',
  '@aws-cdk/core:explicitStackTags': 'The stacks themselves keep the tags of the project and the stage.',
  '@aws-cdk/core:annotationsInValidationReport':
    'The command of the CDK shows warnings, and the program itself would write them a second time.',
  '@aws-cdk/core:enableAdditionalMetadataCollection': 'Nothing is reported to AWS.',
  '@aws-cdk/core:defaultCrossStackReferences':
    'CloudFormation refuses to remove what another stack uses, such as the table.',
  '@aws-cdk/core:target-partitions': 'The service is deployed to the commercial regions.',
};

interface Flag {
  readonly userValue?: unknown;
  readonly recommendedValue: unknown;
  readonly unconfiguredBehavesLike?: { readonly v2?: unknown };
}

const outdir = mkdtempSync(join(tmpdir(), 'vouchsafe-flags-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** As the library reports them to the CDK's command, which counts those that are undecided after each synthesis. */
function reportedFlags(): [name: string, flag: Flag][] {
  const app = new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false });
  new Stack(app, 'none');
  app.synth();
  const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
  return Object.entries(artifacts['aws-cdk-lib/feature-flag-report'].properties.flags);
}

test('cdk.json decides every feature flag of the library, as AWS recommends it but for those with a reason', () => {
  const flags = reportedFlags();
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const undecided = flags.filter(
    ([, { userValue, recommendedValue, unconfiguredBehavesLike }]) =>
      userValue === undefined && !same(unconfiguredBehavesLike?.v2 ?? false, recommendedValue),
  );
  expect(undecided.map(([name]) => name)).toEqual([]);
  const others = flags.filter(
    ([, { userValue, recommendedValue }]) => userValue !== undefined && !same(userValue, recommendedValue),
  );
  expect(others.map(([name]) => name).sort()).toEqual(Object.keys(kept).sort());
});

test('cdk.json names no feature flag that the library does not know', () => {
  const known = new Set(reportedFlags().map(([name]) => name));
  const named = Object.keys(context).filter((name) => name.startsWith('@'));
  // The library reports no flag that only changes how a template is written.
  expect(named.filter((name) => !known.has(name))).toEqual(['@aws-cdk/core:suppressTemplateIndentation']);
});
