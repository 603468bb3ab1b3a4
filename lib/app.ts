import { type App, type Environment, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ApiStack, type ApiStackProps } from './api-stack.ts';
import { DataStack } from './data-stack.ts';
import type { StageSettings } from './stages.ts';

export interface DeploymentProps
  extends Pick<ApiStackProps, 'bundles' | 'registry' | 'timers' | 'geoDirectory'> {
  readonly stage: StageSettings;
  readonly env?: Environment;
}

/** The stacks of one stage, checked against the rules of AwsSolutions as they are synthesized. */
export function addDeployment(app: App, { stage, env = {}, ...more }: DeploymentProps) {
  const { terminationProtection } = stage;
  const stackOf = (part: string) => `vouchsafe-${stage.name}-${part}`;
  const data = new DataStack(app, stackOf('data'), { env, terminationProtection });
  const api = new ApiStack(app, stackOf('api'), {
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
