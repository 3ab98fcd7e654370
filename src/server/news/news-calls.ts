import type { newsEndpoints } from '#contract/news.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { addBrowser } from './add-browser.ts';
import { getNewsOutside } from './get-news-outside.ts';
import { linkTelegram } from './link-telegram.ts';
import { listNewsDeliveries } from './list-news-deliveries.ts';
import { removeNewsAddress } from './remove-news-address.ts';
import { testNewsAddress } from './test-news-address.ts';

export const newsCalls: RoomCalls<typeof newsEndpoints> = {
  getNewsOutside,
  addBrowser,
  linkTelegram,
  removeNewsAddress,
  testNewsAddress,
  listNewsDeliveries,
};
