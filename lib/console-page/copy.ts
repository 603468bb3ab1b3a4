/** A button after each id, which copies it. Without the script there is none. A heading that opens something has no button within. */
addEventListener('DOMContentLoaded', () => {
  for (const id of document.querySelectorAll<HTMLElement>('.id:not(summary .id)')) {
    const text = id.textContent;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${text}`);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      button.setAttribute('aria-label', `Copied ${text}`);
    });
    (id.closest('a') ?? id).after(button);
  }
});
