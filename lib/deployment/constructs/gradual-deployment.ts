import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';

/** The alias through which everything invokes a function that is deployed gradually. */
export const liveAlias = 'live';

const configs = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const;

const codeDeployPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/**
 * Moves the requests of the functions of one stack to their new versions gradually (CodeDeploy). All functions share
 * the application and its role, so that each needs three resources more: a version, an alias, a deployment group.
 *
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/deployment-configurations.html
 */
export class GradualDeployment extends Construct {
  readonly #kind: NonNullable<StageSettings['gradualDeployment']>;
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, id: string, kind: NonNullable<StageSettings['gradualDeployment']>) {
    super(scope, id);
    this.#kind = kind;
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(codeDeployPolicy)],
    });
    Validations.of(this.#role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${codeDeployPolicy}]`,
      reason: 'AWS maintains this policy for what CodeDeploy does with aliases and alarms.',
    });
  }

  /** Adds a function. @param alarms any of which moves the requests back. @returns the alias to invoke it by. */
  add(scope: Construct, deployed: LambdaFunction, alarms: readonly IAlarm[]): IFunction {
    const alias = new Alias(scope, 'Live', {
      aliasName: liveAlias,
      // The types of CDK differ in whether an optional property may be undefined.
      version: deployed.currentVersion as IVersion,
    });
    new LambdaDeploymentGroup(scope, 'Deployment', {
      application: this.#application,
      alias,
      deploymentConfig: configs[this.#kind],
      alarms: [...alarms],
      // Immutable, so that CDK does not add the managed policy again for each function.
      role: this.#role.withoutPolicyUpdates(),
    });
    return alias as IFunction;
  }
}
