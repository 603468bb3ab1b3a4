import type { ErrorCode, GatewayErrorCode } from '../../functions/shared/contract/errors.ts';

const correct = 'Correct the request: `details` name each invalid field. A repeat is refused again.';
const wait = 'Wait for the seconds of `Retry-After`, then repeat the same request.';
const report =
  'Repeat the request later, with the same `Idempotency-Key` if it takes one. If it goes on, report `x-audit-id`.';

/** The advice about each error, as CommonMark. An error that is missing here does not compile. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  share_invalid: correct,
  share_limited: wait,
  share_create_failed: report,
  share_missing_id: 'Name the share as `id`.',
  share_gone: 'Ask the sender for another share: it was opened, burned or has expired, or never existed.',
  share_proof_wrong: 'Ask the recipient for the passphrase again, and send its proof as `x-share-proof`.',
  share_read_failed: report,
  share_burn_failed: report,
  device_invalid: correct,
  device_limited: wait,
  device_failed: report,
  devices_missing_user: 'Name the user as `userId`.',
  devices_failed: report,
  revoke_missing: 'Name the user as `userId` and the device as `deviceHash`.',
  revoke_limited: wait,
  revoke_failed: report,
  code_email_invalid: 'Ask the user for their e-mail address again.',
  code_send_limited: 'Let the user look for an earlier code, or wait for the seconds of `Retry-After`.',
  code_send_failed: report,
  code_wrong: 'Ask the user for the code again, or send a new one. A code works once, for five minutes.',
  code_data_invalid: correct,
  code_verify_limited: wait,
  code_verify_failed: report,
  device_not_verified:
    'Verify the device with a mailed code, and send its proof beside `x-device-id`. `details` say what is missing.',
  proof_invalid: 'Ask for the master password again, or get a new access token.',
  proof_locked: 'Wait for the seconds of `Retry-After`. Each wrong proof counts.',
  vault_invalid: correct,
  vault_absent: 'Create the vault with a write of version 0.',
  vault_conflict: 'Get the vault, merge your change into it, and write it with its new version.',
  vault_limited: wait,
  vault_failed: report,
  invalid_request: correct,
  limit_exceeded: 'Remove what you no longer need, or ask for less. `details` name the limit.',
  invalid_token:
    'Send a valid key of the kind that the operation takes. A user with an expired token signs in again.',
  insufficient_scope: 'Use a key or a token with the scope that `details` name.',
  user_not_verified: 'Wait until an operator has verified the user. A repeat before that is refused.',
  not_found: 'Check the id, and that the key belongs to the application that made the record.',
  money_moving: 'Get the payment, which says where its money is, and send the same request again.',
  conflict: 'Mend what `details` name. Without them, read the record again, and decide anew.',
  invalid_transition:
    'Read the subscription: `details` say in which state it is, and whether the wish is fulfilled already.',
  webhook_refused: 'Compare the signing secret of the endpoint with that of the application.',
  checkout_unavailable:
    'Repeat the request after the seconds of `Retry-After`. If it goes on, check the keys of the gateway.',
  idempotency_in_progress: 'Repeat the request with the same key in a second.',
  idempotency_mismatch: 'Make a new `Idempotency-Key` for each new request.',
  rate_limited: wait,
  oauth_invalid_request: 'Correct the parameter that the description names.',
  oauth_invalid_client: 'Send the client id and a client secret that has not been revoked.',
  oauth_invalid_grant: 'Let the user authorize the application again.',
  oauth_unauthorized_client: 'Use a grant that the application may use.',
  oauth_unsupported_grant_type: 'Use `authorization_code` or `refresh_token`.',
  oauth_invalid_scope: 'Ask for scopes that exist and that the user granted.',
  oauth_limited: wait,
  oauth_failed: report,
  foreign_form: 'Open the page itself, and start there.',
  server_error: report,
};

/** The advice about each error of API Gateway. */
export const gatewayAdvice: Readonly<Record<GatewayErrorCode, string>> = {
  not_found: 'Compare the path with that of the operation.',
  method_not_allowed: 'Use a method that `Allow` lists.',
  payload_too_large: 'Send a smaller body.',
  invalid_request: 'Send well-formed JSON, and a path that is encoded in UTF-8.',
  rate_limited: wait,
  forbidden: 'Check the address. The firewall may refuse the network of the caller.',
  server_error: report,
  bad_gateway: report,
  timeout: report,
};
