import { Stack, Validations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { firstAttempts, laterAttempts } from '../state-machines/webhook-delivery.ts';
import { addLogAndRole } from './timer-machine.ts';

export interface DeliveryMachinesProps {
  readonly stage: StageSettings;
  /** The function or alias that makes attempts, the only one that the machines may invoke. */
  readonly attempt: IFunction;
}

/** The fixed names of the state machines: the functions that start executions are granted them by name. */
export function deliveryMachineNames(stage: StageSettings): { first: string; later: string } {
  return {
    first: `vouchsafe-${stage.name}-webhook-delivery`,
    later: `vouchsafe-${stage.name}-webhook-retries`,
  };
}

/** The two state machines of webhook deliveries, with one log group and one role. */
export class DeliveryMachines extends Construct {
  constructor(scope: Construct, id: string, { stage, attempt }: DeliveryMachinesProps) {
    super(scope, id);
    const { destination, role } = addLogAndRole(this, stage, attempt);
    const names = deliveryMachineNames(stage);
    const definitionOf = (definition: object) =>
      DefinitionBody.fromString(Stack.of(this).toJsonString(definition));
    const common = { role, tracingEnabled: true };
    const first = new StateMachine(this, 'First', {
      ...common,
      stateMachineName: names.first,
      stateMachineType: StateMachineType.EXPRESS,
      comment: 'Makes the first attempts of webhook deliveries.',
      definitionBody: definitionOf(firstAttempts(attempt.functionArn)),
      // An express execution has no history. Only failures are logged: there are as many executions as deliveries.
      logs: { destination, level: LogLevel.ERROR, includeExecutionData: false },
    });
    Validations.of(first).acknowledge({
      id: 'AwsSolutions-SF1',
      reason:
        'A log record for each delivery would cost more than the delivery. The table has every attempt.',
    });
    new StateMachine(this, 'Later', {
      ...common,
      stateMachineName: names.later,
      // Executions wait for days, and operators can watch them.
      stateMachineType: StateMachineType.STANDARD,
      comment: 'Waits for the later attempts of webhook deliveries.',
      definitionBody: definitionOf(laterAttempts(attempt.functionArn)),
      logs: { destination, level: LogLevel.ALL, includeExecutionData: false },
    });
  }
}
