import { createServer, type RequestListener } from 'node:http';
import { listen } from '../../../../../lib/local/listen.ts';

const mail = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
const endpoint = process.env.AWS_ENDPOINT_URL_SES;

beforeEach(() => vi.resetModules());
afterEach(() => {
  process.env.AWS_ENDPOINT_URL_SES = endpoint;
  // The next file of this worker must not reuse the client of an endpoint that is gone.
  vi.resetModules();
});

/** Sends one mail to a faulty SES. @returns the error, and how often SES received the mail. */
async function sendTo(fault: RequestListener, timeoutMs = 10_000) {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      fault(request, response);
    });
  });
  const { url, close } = await listen(server, 0);
  process.env.AWS_ENDPOINT_URL_SES = url;
  const { sendMail, MailPossiblySent } = await import('../../../../../functions/shared/mail/mailer.ts');
  try {
    const error = await sendMail('ann@example.com', mail, timeoutMs).catch((cause: Error) => cause);
    return { received, error, isPossiblySent: error instanceof MailPossiblySent };
  } finally {
    server.closeAllConnections();
    await close();
  }
}

const refusal = (status: number, code: string): RequestListener => {
  const xml = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;
  return (_, response) => response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
};

describe('a mail is handed to SES once, and may have been sent', () => {
  test.each<[string, RequestListener]>([
    ['the connection breaks before the answer', (request) => request.socket.destroy()],
    ['SES answers 500', refusal(500, 'InternalFailure')],
    ['SES answers 408', refusal(408, 'RequestTimeout')],
    ['the answer cannot be read', (_, response) => response.writeHead(200).end('<html>')],
  ])('when %s', async (_, fault) => {
    const { received, isPossiblySent } = await sendTo(fault);
    expect({ received, isPossiblySent }).toEqual({ received: 1, isPossiblySent: true });
  });

  test.each<[string, RequestListener]>([
    ['SES does not answer', () => undefined],
    ['the answer stops after its head', (_, response) => response.writeHead(200).write('<Send')],
  ])('when %s until the time limit', async (_, fault) => {
    const { received, isPossiblySent } = await sendTo(fault, 200);
    expect({ received, isPossiblySent }).toEqual({ received: 1, isPossiblySent: true });
  });
});

describe('a mail was not sent', () => {
  test.each([
    [400, 'MessageRejected'],
    [400, 'Throttling'],
    [429, 'TooManyRequests'],
  ])('when SES answers %i %s, which is not tried again', async (status, code) => {
    const { received, error, isPossiblySent } = await sendTo(refusal(status, code));
    expect({ received, isPossiblySent }).toEqual({ received: 1, isPossiblySent: false });
    expect(error).toBeInstanceOf(Error);
  });

  test('when SES cannot be reached', async () => {
    const { url, close } = await listen(createServer(), 0);
    await close();
    process.env.AWS_ENDPOINT_URL_SES = url;
    const { sendMail, MailPossiblySent } = await import('../../../../../functions/shared/mail/mailer.ts');
    const error = await sendMail('ann@example.com', mail).catch((cause: Error) => cause);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(error).not.toBeInstanceOf(MailPossiblySent);
  });
});

test('a mail has at most three possible copies, five minutes and an hour apart', async () => {
  const { copyLeaseMs, maxCopies } = await import('../../../../../functions/shared/mail/attempts.ts');
  const leases = Array.from({ length: maxCopies }, (_, copy) => copyLeaseMs(copy + 1) / 60_000);
  expect(leases).toEqual([5, 60, 60]);
});
