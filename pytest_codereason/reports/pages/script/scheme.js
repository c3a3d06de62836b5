// Light or dark as the reader chooses. Until then the page follows the system; a choice is kept where the browser allows it.

const SCHEME = "codereason-scheme";
const DARK = "(prefers-color-scheme: dark)";

const recallScheme = () => {
  try { return localStorage.getItem(SCHEME); } catch { return null; }  // a sandboxed page has no storage
};

const keepScheme = (scheme) => {
  try { localStorage.setItem(SCHEME, scheme); } catch { /* it lasts as long as the page */ }
};

const buildSchemeSwitch = () => {
  const button = document.getElementById("scheme");
  const rule = [...document.styleSheets[0].cssRules].find((each) => each.media?.mediaText === DARK);
  const system = matchMedia(DARK);
  let chosen = recallScheme();
  const isDark = () => (chosen ? chosen === "dark" : system.matches);
  const show = () => {
    rule.media.mediaText = chosen ? (isDark() ? "screen" : "not all") : DARK;  // paper stays light
    document.querySelector("meta[name=color-scheme]").content = chosen || "light dark";
    button.textContent = isDark() ? "Light mode" : "Dark mode";
  };
  button.addEventListener("click", () => {
    chosen = isDark() ? "light" : "dark";
    keepScheme(chosen);
    show();
  });
  system.addEventListener("change", show);
  button.hidden = false;
  show();
};

buildSchemeSwitch();
