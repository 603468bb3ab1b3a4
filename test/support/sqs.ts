import { createHash, randomUUID } from 'node:crypto';
import { parseJson, readBody } from '../../lib/local/http/body.ts';
import { listenEndpoint } from '../../lib/local/listen.ts';

interface StoredMessage {
  id: string;
  body: string;
  visibleAtMs: number;
  receiptHandle: string;
}

/**
 * A queue that behaves as SQS documents: a received message is invisible for its timeout, a receipt handle is that of the
 * last receipt, and a receive may return fewer messages than there are.
 *
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
 */
export async function startQueue(queueName: string) {
  const messages: StoredMessage[] = [];
  const operations: Record<string, (request: Record<string, unknown>) => object> = {
    GetQueueUrl: ({ QueueName }) => {
      if (QueueName !== queueName)
        throw Object.assign(new Error('The specified queue does not exist.'), { code: 'QueueDoesNotExist' });
      return { QueueUrl: `${endpoint.url}/000000000000/${queueName}` };
    },
    ReceiveMessage: ({ MaxNumberOfMessages = 1, VisibilityTimeout = 30 }) => {
      const visible = messages.filter(({ visibleAtMs }) => visibleAtMs <= Date.now());
      const most = Math.min(Number(MaxNumberOfMessages), 3);
      for (const message of visible.slice(0, most)) {
        message.visibleAtMs = Date.now() + Number(VisibilityTimeout) * 1_000;
        message.receiptHandle = randomUUID();
      }
      return {
        Messages: visible.slice(0, most).map(({ id, body, receiptHandle }) => ({
          MessageId: id,
          ReceiptHandle: receiptHandle,
          Body: body,
          // The SDK refuses a message without it.
          MD5OfBody: createHash('md5').update(body).digest('hex'),
        })),
      };
    },
    ChangeMessageVisibility: ({ ReceiptHandle, VisibilityTimeout }) => {
      const message = messages.find(({ receiptHandle }) => receiptHandle === ReceiptHandle);
      if (message === undefined)
        throw Object.assign(new Error('The input receipt handle is invalid.'), {
          code: 'ReceiptHandleIsInvalid',
        });
      message.visibleAtMs = Date.now() + Number(VisibilityTimeout) * 1_000;
      return {};
    },
    DeleteMessage: ({ ReceiptHandle }) => {
      const index = messages.findIndex(({ receiptHandle }) => receiptHandle === ReceiptHandle);
      if (index >= 0) messages.splice(index, 1);
      return {};
    },
  };
  const endpoint = await listenEndpoint(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
    const body = parseJson(await readBody(request, 256 * 1024)) as Record<string, unknown>;
    const answer = (status: number, content: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify(content));
    try {
      const run = operations[operation];
      if (run === undefined) throw Object.assign(new Error(operation), { code: 'InvalidAction' });
      answer(200, run(body));
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      answer(400, { __type: `com.amazonaws.sqs#${code}`, message });
    }
  });
  return {
    url: endpoint.url,
    close: endpoint.close,
    send: (body: string) =>
      void messages.push({ id: randomUUID(), body, visibleAtMs: 0, receiptHandle: randomUUID() }),
    /** The bodies of the messages that a reader would get now. */
    visible: () => messages.filter(({ visibleAtMs }) => visibleAtMs <= Date.now()).map(({ body }) => body),
    clear: () => void messages.splice(0),
  };
}
