-- The URLs of the export.
{{ config(materialized='view') }}
select * from read_parquet('{{ var("urls") }}/urls/*.parquet')
