import { useEffect, useState } from 'preact/hooks';
import { CreatePage } from './create/create-page.tsx';
import { OpenPage } from './open/open-page.tsx';
import type { PageProps } from './page-props.ts';
import { Incomplete, KeyRemoved } from './problems.tsx';
import { ReceiptPage } from './receipt-page.tsx';
import { Announced, mayReplace } from './step.tsx';
import { takeVisit, type Visit } from './visit.ts';

const replaceQuestion =
  'Another link was opened in this tab. What is shown now would be lost, and can perhaps not be opened again. Go to the other link?';

/** The page that the address asks for. */
export function App({ client, pageUrl }: PageProps) {
  const [{ visit, number }, setVisit] = useState(() => ({ visit: takeVisit(pageUrl), number: 0 }));
  useEffect(() => {
    // A link that is pasted into the address bar changes the fragment alone, and the browser loads nothing.
    const readAgain = () => {
      if (location.hash.length <= 1) return;
      const next = takeVisit(pageUrl);
      // The page on which shares are created has no links of its own: what was entered stays.
      if (next.name === 'create' || !mayReplace(replaceQuestion)) return;
      setVisit((before) => ({ visit: next, number: before.number + 1 }));
    };
    addEventListener('hashchange', readAgain);
    return () => removeEventListener('hashchange', readAgain);
  }, [pageUrl]);
  return (
    <Announced>
      <Visited key={number} visit={visit} client={client} pageUrl={pageUrl} />
    </Announced>
  );
}

function Visited({ visit, client, pageUrl }: PageProps & { visit: Visit }) {
  switch (visit.name) {
    case 'create':
      return <CreatePage client={client} pageUrl={pageUrl} />;
    case 'open':
      return <OpenPage client={client} pageUrl={pageUrl} visit={visit} />;
    case 'receipt':
      return <ReceiptPage client={client} pageUrl={pageUrl} visit={visit} />;
    case 'incomplete':
      return <Incomplete pageUrl={pageUrl} />;
    case 'key-removed':
      return <KeyRemoved pageUrl={pageUrl} />;
  }
}
