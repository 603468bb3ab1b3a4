import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type BareEvent, handler as read } from './bare-handler.ts';

const client = new SFNClient({});

/** A baseline that also starts an execution after the reads. */
export async function handler(event: BareEvent): Promise<{ statusCode: number; body: string }> {
  const response = await read(event);
  const stateMachineArn = process.env.TIMER_STATE_MACHINE_ARN ?? '';
  await client.send(new StartExecutionCommand({ stateMachineArn, input: '{}' }));
  return response;
}
