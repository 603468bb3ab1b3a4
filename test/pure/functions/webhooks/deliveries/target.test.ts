import { hostnameOf, isAllowedUrl, refusalOf } from '../../../../../functions/webhooks/deliveries/target.ts';

const outside = '93.184.215.14';

test.each([
  ['https://app.example/', true, true],
  ['https://app.example:1024/', true, true],
  ['https://app.example:1023/', false, false],
  ['http://app.example/', false, true],
  ['http://app.example:1024/', false, true],
  ['http://app.example:22/', false, false],
  ['ftp://app.example/', false, false],
])('%s may be requested of a deployment: %s, of the local stack: %s', (url, deployed, local) => {
  expect([isAllowedUrl(new URL(url), false), isAllowedUrl(new URL(url), true)]).toEqual([deployed, local]);
});

test('a host is named without the brackets of a URL', () => {
  expect([hostnameOf(new URL('https://[::1]:8443/')), hostnameOf(new URL('https://a.example/'))]).toEqual([
    '::1',
    'a.example',
  ]);
});

const refused = 'refused_address';
test.each([
  ['https', [outside], undefined, undefined],
  ['https', [outside, '2606:4700:4700::1111'], undefined, undefined],
  ['https', [], 'dns', 'dns'],
  ['https', ['10.0.0.1'], refused, refused],
  ['https', [outside, '10.0.0.1'], refused, refused],
  ['https', ['169.254.169.254', outside], refused, refused],
  ['https', ['127.0.0.1'], refused, undefined],
  ['https', ['::1', outside], refused, undefined],
  ['https', ['nothing'], refused, refused],
  ['http', [outside], refused, refused],
  ['http', ['127.0.0.1', '127.255.255.255', '::1'], refused, undefined],
  ['http', ['127.0.0.1', outside], refused, refused],
  ...['127.0.0', '127.0.0.1.1', '127.0.0.1234', '1127.0.0.1', '127x0.0.1', '::10', 'x::1'].map(
    (text): [string, string[], string, string] => ['https', [text], refused, refused],
  ),
])('over %s to %j a deployment says %s, and the local stack %s', (protocol, addresses, deployed, local) => {
  const url = new URL(`${protocol}://app.example/`);
  expect([refusalOf(url, addresses, false), refusalOf(url, addresses, true)]).toEqual([deployed, local]);
});
