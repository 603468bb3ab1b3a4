/** Problems of links, and the steps at which one leads nowhere. Each says what happened, and what to do next. */
import { Step } from './step.tsx';

interface ProblemProps {
  pageUrl: string;
}

function CreateLink({ pageUrl }: ProblemProps) {
  return (
    <p class="more">
      <a href={pageUrl}>Share a secret of your own</a>
    </p>
  );
}

/** The link has no whole key. Nothing was requested. */
export function Incomplete({ pageUrl }: ProblemProps) {
  return (
    <Step title="This link is incomplete">
      <p>Part of the link is missing or was changed. Nothing was opened, and nothing was deleted.</p>
      <p>
        Copy the whole link from the message, up to its last character, and open it again. If it still does
        not work, ask the sender for a new link.
      </p>
      <CreateLink pageUrl={pageUrl} />
    </Step>
  );
}

/** The page was loaded again, and the key is gone with the memory of the page before. */
export function KeyRemoved({ pageUrl }: ProblemProps) {
  return (
    <Step title="Open the link again">
      <p>
        You left or reloaded this page, so it no longer has the key of the link. This page removes the key
        from the address and stores it nowhere.
      </p>
      <p>
        Open the link in the message that you received. If you have already seen the content, and it could be
        opened only once, it is deleted.
      </p>
      <CreateLink pageUrl={pageUrl} />
    </Step>
  );
}

/** A gateway of mail escaped the "#" of the link: the browser then sends the key. */
export function KeySeen() {
  return (
    <p class="note after">
      A program, such as a mail gateway, changed this link on its way. The key of the link became part of
      requests, so that program and our servers have seen it. Tell the sender.
    </p>
  );
}

/** The one response to opened, expired, burned and unknown shares. */
export function Gone({ pageUrl }: ProblemProps) {
  return (
    <Step title="There is nothing to open">
      <p>
        This share was already opened, has expired, was burned by its sender, or never existed. The service
        does not say which, so that nobody can find out by trying links.
      </p>
      <p>
        Ask the sender for a new link. If you expected to be the first to open it, tell the sender: someone
        else may have read it.
      </p>
      <CreateLink pageUrl={pageUrl} />
    </Step>
  );
}

/** The share arrived, and its key does not decrypt it. */
export function NotDecrypted({ pageUrl }: ProblemProps) {
  return (
    <Step title="This share could not be decrypted">
      <p>
        The link or the share was changed on the way. If the share could be opened only once, it is deleted.
      </p>
      <p>Ask the sender for a new link.</p>
      <CreateLink pageUrl={pageUrl} />
    </Step>
  );
}

/** The browser offers no encryption. */
export function Insecure() {
  return (
    <Step title="This page needs a secure connection">
      <p>
        It encrypts and decrypts in your browser. Browsers allow that only on pages whose address begins with
        “https”. Nothing was requested, and nothing was opened or deleted.
      </p>
      <p>Open the same address with https at its beginning, or with a current browser.</p>
    </Step>
  );
}
