import { codeEmail } from '../../../../functions/devices/code-email.ts';
import { bothParts } from '../../../support/mail/parts.ts';

describe('the code mail', () => {
  const mail = codeEmail({ code: '048291', lifetimeMinutes: 5 });

  test('contains the code in the subject', () => {
    expect(mail.subject).toBe('048291 is your Vouchsafe code');
  });

  test('contains the code exactly once in each part, on its own', () => {
    expect(mail.text.split('\n').filter((line) => line.includes('048291'))).toEqual(['048291']);
    const [, body = ''] = mail.html.split('</head>');
    expect(body.split('048291')).toHaveLength(2);
    expect(body).toContain('>048291<');
  });

  test.each(bothParts(mail))('states in the %s the lifetime, and that the code works once', (_, part) => {
    expect(part).toContain('It works once and expires in 5 minutes.');
    expect(part).toContain('only the newest works');
  });

  test.each(bothParts(mail))('states in the %s what to do with a code that was not requested', (_, part) => {
    expect(part).toMatch(/may know your master password or your user ID/);
    expect(part).toMatch(/Nobody gets in without this code/);
    expect(part).toMatch(/Never pass the code on/);
    expect(part).toMatch(/never asks for it/);
  });

  test('writes one minute in the singular', () => {
    expect(codeEmail({ code: '123456', lifetimeMinutes: 1 }).text).toContain('expires in 1 minute.');
  });

  test('contains no link, so that readers do not learn to follow links', () => {
    expect(mail.html).not.toContain('href');
    expect(mail.text).not.toContain('://');
  });

  test('truncates a subject with a hostile code, on one line', () => {
    expect(codeEmail({ code: `1\r\n2${'3'.repeat(500)}`, lifetimeMinutes: 5 }).subject).toMatch(
      /^1 23{146}…$/,
    );
  });

  test('is smaller than the 102 KB at which Gmail clips mails', () => {
    const { text, html } = codeEmail({ code: '123456', lifetimeMinutes: 5 });
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    expect(Buffer.byteLength(text)).toBeLessThan(4_000);
  });

  test('contains no HTML in the text part', () => {
    expect(codeEmail({ code: '123456', lifetimeMinutes: 5 }).text).not.toMatch(/[<>]|&[a-z]+;/);
  });
});
