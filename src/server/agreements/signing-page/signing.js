// Runs in the signing page: notes that the text was read to its end, shows what is missing before the button is pressed,
// prevents a double submission, and notifies the embedding page when the signing is done.

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
const RETRY_MS = 1000;
const { view } = document.documentElement.dataset;
if (view === 'signing') watchForm();
if (view === 'signed') tellParent();
if (view === 'vendor') showVendor();

function watchForm() {
  const form = document.querySelector('form');
  const boxes = [...document.querySelectorAll('.consent input')];
  const name = document.querySelector('#name');
  const button = document.querySelector('#finish');
  const status = document.querySelector('#missing');

  let isRead = document.querySelector('.text').hasAttribute('data-read');

  const update = () => {
    const missing = [];
    if (!isRead) missing.push('read to the end');
    if (boxes.some((box) => !box.checked)) missing.push('tick both boxes');
    if (name.value.trim().length < 2) missing.push('type your full name');
    button.disabled = missing.length > 0;
    status.textContent = missing.length > 0 ? `To finish, ${LIST.format(missing)}.` : '';
  };
  watchReading(() => {
    isRead = true;
    update();
  });
  form.addEventListener('input', update);
  form.addEventListener('submit', () => {
    // After this turn, so that the form is still sent.
    setTimeout(() => {
      button.disabled = true;
      status.textContent = 'Sealing the document.';
    });
  });
  addEventListener('pageshow', update);
  update();
}

/** The server keeps the time at which the end of the text came into view; until it has it, nobody can finish. */
function watchReading(onRead) {
  const text = document.querySelector('.text');
  const end = document.querySelector('#end');
  let isSending = false;
  const look = async () => {
    if (isSending || text.scrollTop + text.clientHeight < end.offsetTop - text.offsetTop) return;
    isSending = true;
    const path = location.pathname.replace(/\/$/, '');
    const answer = await fetch(`${path}/read`, { method: 'POST' }).catch(() => null);
    if (answer?.ok) return onRead();
    isSending = false;
    setTimeout(look, RETRY_MS);
  };
  text.addEventListener('scroll', look);
  addEventListener('resize', look);
  look();
}

/** The vendor's page, mounted by the vendor's script. What it says at its end is only a hint to ask the server. */
async function showVendor() {
  const { url, key } = document.querySelector('main').dataset;
  const status = document.querySelector('#missing');
  // The vendor may send its frame to our page at the end, which tells its parent: us.
  addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data?.type === 'sessionEnd') tellParent();
  });
  try {
    const docusign = await window.DocuSign.loadDocuSign(key);
    const style = getComputedStyle(document.documentElement);
    const signing = docusign.signing({
      url,
      displayFormat: 'focused',
      style: {
        branding: {
          primaryButton: {
            backgroundColor: style.getPropertyValue('--accent-fill').trim(),
            color: style.getPropertyValue('--on-accent').trim(),
          },
        },
        signingNavigationButton: { finishText: 'Finish Signing!', position: 'bottom-center' },
      },
    });
    signing.on('sessionEnd', tellParent);
    signing.mount('#vendor');
  } catch {
    status.textContent =
      'The signing service could not be shown. Nothing was signed. Close this panel and press Sign Agreement again.';
  }
}

function tellParent() {
  if (window.parent !== window) {
    window.parent.postMessage({ type: 'sessionEnd', sessionEndType: 'signing_complete' }, location.origin);
  } else {
    location.replace(document.querySelector('main').dataset.next);
  }
}
