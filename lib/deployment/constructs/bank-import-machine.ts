import { Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { bankImport } from '../state-machines/bank-import.ts';
import { addLogAndRole } from './timer-machine.ts';

export interface BankImportMachineProps {
  readonly stage: StageSettings;
  /** The function or alias that records entries, the only one that the machine may invoke. */
  readonly record: IFunction;
}

/** The fixed name of the state machine: the function that starts executions is granted it by name. */
export function bankImportMachineName(stage: StageSettings): string {
  return `vouchsafe-${stage.name}-bank-import`;
}

/** The state machine of imports of bank statements, with its log group and role. */
export class BankImportMachine extends Construct {
  constructor(scope: Construct, id: string, { stage, record }: BankImportMachineProps) {
    super(scope, id);
    const { destination, role } = addLogAndRole(this, stage, record);
    new StateMachine(this, 'Machine', {
      role,
      tracingEnabled: true,
      stateMachineName: bankImportMachineName(stage),
      stateMachineType: StateMachineType.STANDARD,
      comment: 'Imports bank statements.',
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(bankImport(record.functionArn))),
      logs: { destination, level: LogLevel.ALL, includeExecutionData: false },
    });
  }
}
