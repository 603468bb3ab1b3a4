import type { Fetch } from '../fetch.ts';
import { deriveKeys } from './derived-keys.ts';
import { packContent, unpackContent } from './plaintext-format.ts';
import { parseReceiptLink, type ReceiptLink, receiptLink } from './receipt-link.ts';
import { unseal } from './sealed-share.ts';
import { expectOk, numberIn, textIn, textOrNull } from './share-answer.ts';
import type { OpenedShare, ShareContent } from './share-content.ts';
import { encryptShare } from './share-encryption.ts';
import { ShareError } from './share-error.ts';
import { decodeKey } from './share-key.ts';
import { parseShareLink, type ShareLink, shareLink } from './share-link.ts';
import { type ShareRequest, sendShareRequest } from './share-requests.ts';
import type { Signal } from './signal.ts';

export interface ShareClientOptions {
  /** The address of the API without the path: `https://api.example.com`. A stage (`/prod`) is part of it. */
  apiUrl: string;
  /** `fetch` by default. In browsers, only the default tells how much of an upload was sent. */
  fetch?: Fetch;
}

/** How a share is created. */
export interface CreateShareOptions {
  /** Needed to open the share, beside the link. Send it another way than the link. */
  passphrase?: string;
  /** Whether the share can be opened once. The service's default is true, without `maxViews`. */
  oneTime?: boolean;
  /** How often the share can be opened, 1 to 100. */
  maxViews?: number;
  /** Up to 168; 24 by default. Fractions are allowed. */
  expiresInHours?: number;
  /** Whether the share has a receipt, with which its creator sees whether it was opened, and burns it. */
  receipt?: boolean;
  /** The page that opens shares: `<apiUrl>/s` by default. */
  pageUrl?: string;
  onProgress?: (progress: ShareProgress) => void;
  /** Ends the creation. When it is aborted during the upload, the share may exist; nobody has its link. */
  signal?: Signal;
}

export interface ShareProgress {
  step: 'encrypting' | 'uploading';
  /** Of the step, 0 to 1. */
  fraction: number;
}

export interface CreatedShare {
  shareId: string;
  /** Contains the key: whoever has it opens the share, with the passphrase where there is one. */
  link: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** With `receipt`: a link for the creator alone. */
  receiptLink?: string;
}

/** When the opening is aborted, a share that opens once may be used up all the same. */
export type OpenShareOptions = Pick<CreateShareOptions, 'passphrase' | 'signal'>;

/** The state of a share. Times are ISO 8601, UTC. */
export interface ShareReceipt {
  /**
   * - `stored`: nobody has opened it.
   * - `opened`: it was opened at least once.
   * - `expired`: it expired before anyone opened it.
   * - `burned`: it was burned before it could be opened as often as it was allowed.
   */
  status: 'stored' | 'opened' | 'expired' | 'burned';
  views: number;
  maxViews: number;
  firstOpenedAt: string | null;
  lastOpenedAt: string | null;
  createdAt: string;
  expiresAt: string;
  burnedAt: string | null;
}

/**
 * Creates and opens encrypted shares. Keys and passphrases stay on this device: the service gets ciphertext, and the proof
 * that the caller knows the key.
 *
 * Each call is one request, which is never repeated. Every method throws {@link ShareError}, and the reason of the signal
 * when it was aborted.
 */
export class ShareClient {
  readonly #apiUrl: string;
  readonly #fetch: Fetch | undefined;

  /** @throws {ShareError} `invalid_request` when `apiUrl` is no URL */
  constructor({ apiUrl, fetch }: ShareClientOptions) {
    if (!/^https?:\/\/[^?#]+$/.test(apiUrl)) {
      throw new ShareError('invalid_request', 'The address of the API must be an http or https URL.');
    }
    this.#apiUrl = apiUrl.replace(/\/+$/, '');
    this.#fetch = fetch;
  }

  /**
   * Encrypts content and stores it. The service returns it only to callers with the link, and with the passphrase if there is one.
   *
   * @param content text or files, 1,048,560 bytes together at most.
   * @throws {ShareError} `too_large`, `invalid_request`, `invalid_link` for an invalid page, `rate_limited`, `server_error`,
   *   `unreachable`
   */
  create(
    content: ShareContent,
    options: CreateShareOptions & { receipt: true },
  ): Promise<CreatedShare & { receiptLink: string }>;
  /** The same, without `receiptLink` unless `receipt` is true. */
  create(content: ShareContent, options?: CreateShareOptions): Promise<CreatedShare>;
  async create(content: ShareContent, options: CreateShareOptions = {}): Promise<CreatedShare> {
    const { passphrase, oneTime, maxViews, expiresInHours, receipt, onProgress, signal } = options;
    const pageUrl = options.pageUrl ?? `${this.#apiUrl}/s`;
    onProgress?.({ step: 'encrypting', fraction: 0 });
    const { secret, metadata } = packContent(content);
    const protection = passphrase === undefined ? { accessProof: true } : { passphrase };
    const { payload, key } = await encryptShare(secret, metadata, protection);
    // Before anything is stored: a share without a link would be lost.
    shareLink(pageUrl, 'id', key);
    onProgress?.({ step: 'encrypting', fraction: 1 });

    const onUploaded = onProgress && ((fraction: number) => onProgress({ step: 'uploading', fraction }));
    onUploaded?.(0);
    const body = await this.#send({
      method: 'POST',
      path: '/api/share',
      // JSON leaves out what is undefined.
      body: Object.assign(payload, {
        one_time: oneTime,
        max_views: maxViews,
        expires_in_hours: expiresInHours,
        receipt: receipt === true ? true : undefined,
      }),
      onUploaded,
      signal,
      whenLost: 'Nobody has the link of a share that may have been stored; try again.',
      whenGone: 'There is no service for shares at this address.',
    });
    onUploaded?.(1);
    const shareId = textIn(body, 'shareId');
    const created: CreatedShare = {
      shareId,
      link: shareLink(pageUrl, shareId, key),
      expiresAt: textIn(body, 'expiresAt'),
    };
    if (receipt === true) created.receiptLink = receiptLink(pageUrl, shareId, textIn(body, 'receiptToken'));
    return created;
  }

  /**
   * Opens a share and decrypts it. A share that opens once exists no longer then.
   *
   * A wrong passphrase uses nothing up. After an answer that was lost (`unreachable`, `server_error`), a share that opens once
   * may be used up; this method never asks again by itself.
   *
   * @throws {ShareError} `invalid_link`, `invalid_key`, `passphrase_required`, `wrong_passphrase`, `share_gone`, `rate_limited`,
   *   `not_decrypted`, `invalid_payload`, `server_error`, `unreachable`
   */
  async open(link: string | ShareLink, { passphrase, signal }: OpenShareOptions = {}): Promise<OpenedShare> {
    const { shareId, key } = typeof link === 'string' ? parseShareLink(link) : link;
    const linkKey = decodeKey(key);
    const { encryptionKey, proof } = await deriveKeys(linkKey, passphrase);
    const request: ShareRequest = {
      method: 'GET',
      path: '/api/share',
      query: { id: shareId },
      headers: proof === undefined ? {} : { 'x-share-proof': proof },
      signal,
      whenLost: 'A share that opens once may be used up; its sender sees that in the receipt.',
      whenGone:
        'There is no such share: it was opened, burned or has expired, or never existed. Ask its sender for a new one.',
    };
    const opened = await this.#send(request).catch((error: unknown) => {
      const refused = error instanceof ShareError && error.code === 'wrong_passphrase';
      if (!refused || linkKey.form === 'passphrase') throw error;
      throw new ShareError(
        'not_decrypted',
        'The key of the link does not open this share. It is as it was.',
        {
          status: error.status,
        },
      );
    });
    const sealed = {
      data_blob: textIn(opened, 'data_blob'),
      iv: textIn(opened, 'iv'),
      meta_blob: textOrNull(opened.meta_blob),
    };
    const content = unpackContent(await unseal(encryptionKey, sealed));
    return Object.assign(content, { createdAt: textOrNull(opened.created_at) ?? '' });
  }

  /**
   * Says what became of a share.
   *
   * @throws {ShareError} `invalid_link`, `share_gone`, `rate_limited`, `server_error`, `unreachable`
   */
  receipt(link: string | ReceiptLink): Promise<ShareReceipt> {
    return this.#receipt('GET', '/api/share/receipt', link);
  }

  /**
   * Burns a share: nobody can open it any more. Of a share that is used up or expired, it says so. It can be repeated.
   *
   * @throws {ShareError} `invalid_link`, `share_gone`, `rate_limited`, `server_error`, `unreachable`
   */
  burn(link: string | ReceiptLink): Promise<ShareReceipt> {
    return this.#receipt('DELETE', '/api/share', link);
  }

  async #receipt(
    method: 'GET' | 'DELETE',
    path: ShareRequest['path'],
    link: string | ReceiptLink,
  ): Promise<ShareReceipt> {
    const { shareId, receiptToken } = typeof link === 'string' ? parseReceiptLink(link) : link;
    const body = await this.#send({
      method,
      path,
      query: { id: shareId },
      headers: { 'x-receipt-token': receiptToken },
      whenLost: 'Try again.',
      whenGone:
        'There is no such receipt: it is kept for 30 days after its share expires, or the link is wrong.',
    });
    return {
      status: textIn(body, 'status') as ShareReceipt['status'],
      views: numberIn(body, 'views'),
      maxViews: numberIn(body, 'max_views'),
      firstOpenedAt: textOrNull(body.first_opened_at),
      lastOpenedAt: textOrNull(body.last_opened_at),
      createdAt: textIn(body, 'created_at'),
      expiresAt: textIn(body, 'expires_at'),
      burnedAt: textOrNull(body.burned_at),
    };
  }

  async #send(request: ShareRequest): Promise<Record<string, unknown>> {
    return expectOk(await sendShareRequest(this.#apiUrl, this.#fetch, request), request);
  }
}
