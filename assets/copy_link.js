// The button "Copy link": the page's address as the browser has it goes to the clipboard. Nothing is asked of the server.
export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  const said = parentElement.querySelector("[role=status]");
  const shown = parentElement.querySelector("input");
  button.onclick = async () => {
    const address = window.location.href;
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = "Copied.";
    } catch {
      // Browsers keep the clipboard from pages without encryption, such as this server seen from another machine.
      shown.hidden = false;
      shown.value = address;
      shown.focus();
      shown.select();
      said.textContent = "Your browser lets no page copy here: press Ctrl+C.";
    }
  };
}
