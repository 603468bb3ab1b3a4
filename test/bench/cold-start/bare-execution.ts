import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type BareEvent, handler as read } from './bare-handler.ts';

const client = new SFNClient({});

/** The same with an execution that is started after the reads. */
export async function handler(event: BareEvent): Promise<{ statusCode: number; body: string }> {
  const answer = await read(event);
  const stateMachineArn = process.env.TIMER_STATE_MACHINE_ARN ?? '';
  await client.send(new StartExecutionCommand({ stateMachineArn, input: '{}' }));
  return answer;
}
