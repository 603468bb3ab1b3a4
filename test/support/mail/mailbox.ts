/** A mail as the mailbox shows it. */
export interface ReadMail {
  id: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { id: number; filename: string }[];
  sentAt: string;
}

/** Mails to an address, newest first. */
export async function mailsTo(address: string): Promise<ReadMail[]> {
  const url = `${process.env.TEST_MAILBOX_URL}?to=${encodeURIComponent(address)}`;
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  return ((await response.json()) as { messages: ReadMail[] }).messages;
}

/** The attachments of the mails to an address, those of the newest mail first. */
export async function attachmentsTo(address: string): Promise<{ filename: string; content: Buffer }[]> {
  const files = (await mailsTo(address)).flatMap(({ id, attachments }) =>
    attachments.map((attachment) => ({
      filename: attachment.filename,
      path: `${id}/attachments/${attachment.id}`,
    })),
  );
  return Promise.all(
    files.map(async ({ filename, path }) => {
      const response = await fetch(`${process.env.TEST_MAILBOX_URL}/${path}`);
      return { filename, content: Buffer.from(await response.arrayBuffer()) };
    }),
  );
}

/** Puts an address on SES's suppression list, as after a bounce or a complaint. */
export async function suppress(address: string, reason: 'BOUNCE' | 'COMPLAINT'): Promise<void> {
  await fetch(`${process.env.TEST_MAILBOX_URL}/suppressed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, reason }),
  });
}

/** New Device Login mails to an address, newest first. */
export async function alertsTo(address: string): Promise<ReadMail[]> {
  return (await mailsTo(address)).filter(({ subject }) => subject.startsWith('New Device Login'));
}

/** The code of the newest mail that has one. */
export async function codeSentTo(address: string): Promise<string> {
  const codes = (await mailsTo(address)).map(({ subject }) => /\b\d{6}\b/.exec(subject)?.[0]);
  const newest = codes.find((code) => code !== undefined);
  if (newest === undefined) throw new Error(`No code was sent to ${address}`);
  return newest;
}
