/** The script that shows pushes; see public/. */
export const NEWS_WORKER = '/news-worker.js';
