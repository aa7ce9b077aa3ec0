# The dashboard in a container, with the exact versions that are tested:
#   docker build -t tiltmeter .
#   docker run --rm -p 127.0.0.1:8501:8501 tiltmeter
# Without 127.0.0.1 in front of the port it is open to the network: read SECURITY.md first.
FROM python:3.11-slim

# Chromium draws PNG, SVG and PDF, the fonts are those of pages and charts. Debian keeps no old versions to pin.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/tiltmeter
COPY requirements.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt
COPY pyproject.toml README.md LICENSE NOTICE app.py face.py ./
COPY .streamlit .streamlit
COPY assets assets
COPY core core
COPY pages pages
RUN pip install --no-cache-dir --no-deps . \
    && useradd --create-home --uid 1000 tiltmeter

USER 1000
WORKDIR /home/tiltmeter
# Inside the container every address is its own; the port that `docker run` opens decides who comes in.
ENV BROWSER_PATH=/usr/bin/chromium \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost
EXPOSE 8501
HEALTHCHECK --start-period=60s --timeout=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["tiltmeter"]
CMD ["dashboard"]
