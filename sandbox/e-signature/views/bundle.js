// The script of the service, as far as a page uses it: loadDocuSign, signing, on, mount.
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const signing = ({ url, style }) => {
    const listeners = {};
    const view = new URL(url);
    const { finishText } = style?.signingNavigationButton ?? {};
    if (finishText) view.searchParams.set('finishText', finishText);
    return {
      on(event, listener) {
        listeners[event] = listener;
        return this;
      },
      mount(selector) {
        const frame = document.createElement('iframe');
        frame.title = 'Signing';
        frame.style.cssText = 'width: 100%; height: 100%; border: 0';
        frame.src = view.href;
        frame.addEventListener('load', () => listeners.ready?.({ type: 'ready' }), { once: true });
        document.querySelector(selector).append(frame);
        addEventListener('message', (message) => {
          if (message.origin !== origin || message.source !== frame.contentWindow) return;
          frame.remove();
          listeners.sessionEnd?.(message.data);
        });
      },
    };
  };
  window.DocuSign = {
    loadDocuSign: async (integrationKey) => {
      if (!integrationKey) throw new Error('an integration key is needed');
      return { signing };
    },
  };
})();
