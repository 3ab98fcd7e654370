import { escapeHtml } from '../../http/escape-html.ts';
import { pageFrame, type Theme } from './page-frame.ts';

export function messagePage(message: {
  readonly title: string;
  readonly text: string;
  readonly theme: Theme;
}): string {
  return pageFrame({
    title: message.title,
    theme: message.theme,
    view: 'message',
    body: `<main class="message"><h1>${escapeHtml(message.title)}</h1><p>${escapeHtml(message.text)}</p></main>`,
  });
}
