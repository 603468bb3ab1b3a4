import { addressBlock, clientKey } from '../../../../../functions/shared/lambda/client-key.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['::ffff:0:203.0.113.7', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80:0:0:1::1%eth0', 'fe80:0:0:1::/64'],
  ['1.2.3', 'unknown'],
  ['1::2::3', 'unknown'],
  [undefined, 'unknown'],
  ['test-invoke-source-ip', 'unknown'],
  ['', 'unknown'],
])('the address %s counts as %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::', '2001:db8:1::/48'],
  ['2001:db8:2::1', '2001:db8:2::/48'],
  ['::1', '0:0:0::/48'],
  [undefined, 'unknown'],
  ['test-invoke-source-ip', 'unknown'],
])('the address %s is in the block %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
