import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { defined } from '../../functions/shared/contract/defined.ts';
import { ApiStack, type ApiStackProps } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { configurationSetName, type StageSettings } from './stages.ts';

export interface DeploymentProps
  extends Pick<ApiStackProps, 'bundles' | 'registry' | 'timers' | 'geoDirectory'> {
  readonly stage: StageSettings;
  readonly env?: Partial<Record<'account' | 'region', string | undefined>>;
}

/** Adds the stacks of one stage. Synthesis checks them against the AwsSolutions rules. */
export function addDeployment(app: App, { stage, env: environment = {}, ...more }: DeploymentProps) {
  const env = defined(environment);
  const { terminationProtection } = stage;
  const stackName = (part: string) => `vouchsafe-${stage.name}-${part}`;
  const data = new DataStack(app, stackName('data'), {
    env,
    terminationProtection,
    configurationSetName: configurationSetName(stage),
  });
  const api = new ApiStack(app, stackName('api'), {
    ...more,
    stage,
    env,
    table: data.table,
    deploymentKey: data.deploymentKey,
    terminationProtection,
  });
  Tags.of(app).add('project', 'vouchsafe');
  Tags.of(app).add('stage', stage.name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { data, api };
}
