import type { DeploymentProps } from './app.ts';
import { requireSettings } from './missing-settings.ts';
import { readStageFile, type StageSettings, stageSettings } from './stages.ts';

/**
 * The settings of the stage that the command of the CDK names.
 *
 * @param context a value of the command by its name.
 * @throws Error that says what is wrong or missing.
 */
export function chosenStage(context: (name: string) => string | undefined): StageSettings {
  const settings = stageSettings(context('stage') ?? 'dev', readStageFile(context('settings')));
  // Whichever command of the CDK runs it. `npm run synth`, which deploys nothing, shows an incomplete stage too.
  if (context('requireSettings') !== 'false') requireSettings(settings);
  return settings;
}

/** Where a stage is deployed. The command of the CDK sets the variables when it knows them; an offline synthesis works without. */
export function environmentOf(
  stage: StageSettings,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: NodeJS.ProcessEnv,
  say: (text: string) => void,
): NonNullable<DeploymentProps['env']> {
  if (CDK_DEFAULT_ACCOUNT === undefined)
    say(
      'No credentials of AWS: only templates can be made. To compare or deploy, sign in first (docs/deploy.md, step 1).\n',
    );
  const { account = CDK_DEFAULT_ACCOUNT, region = CDK_DEFAULT_REGION } = stage;
  return { account, region };
}
